import type { Citation } from "#contract/chat.ts";
import type { Output } from "#cli/output.ts";

/** `[1] plans.pdf, page 2: "…"`, one line a citation. */
export function citationLines(output: Output, citations: readonly Citation[]): string[] {
  return citations.map((citation, index) => {
    const name = citation.filename ?? citation.documentNumber ?? citation.documentId;
    const page = citation.page === undefined ? "" : `, page ${citation.page}`;
    return `${output.tone("strong", `[${index + 1}]`)} ${output.tone("dim", `${name}${page}:`)} "${output.plain(citation.quote)}"`;
  });
}
