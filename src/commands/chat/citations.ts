import type { Citation } from "#contract/chat.ts";
import type { Output } from "#cli/output.ts";

/** `[1] plans.pdf, page 2: "…"`, one line a citation. */
export function citationLines(output: Output, citations: readonly Citation[]): string[] {
  return citations.map((citation, index) => {
    const name = citation.filename ?? citation.documentNumber ?? citation.documentId;
    const page = citation.page === undefined ? "" : `, page ${citation.page}`;
    // The quote is verbatim in the JSON; on a line of its own only its words matter.
    const quote = output.plain(citation.quote).replace(/\s+/g, " ");
    const mark = output.tone("strong", `[${index + 1}]`);
    return output.hanging(`${mark} ${output.tone("dim", `${name}${page}:`)} "${quote}"`, 4);
  });
}
