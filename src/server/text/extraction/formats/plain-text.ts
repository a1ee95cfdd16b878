import { withoutEnd } from "#lib/without-end.ts";
import type { DocumentMetadata, PageWriter } from "../extracted-document.ts";
import { decodeText } from "./encoding.ts";
import { limitExceeded } from "../extraction-error.ts";
import { htmlToText } from "./html.ts";
import type { ExtractionLimits } from "../extraction-limits.ts";
import { metadataFrom } from "./office.ts";

/** Reads plain text of any encoding that decodeText() knows. */
export async function extractPlainText(
  bytes: Uint8Array,
  _limits: ExtractionLimits,
  writer: PageWriter,
): Promise<DocumentMetadata> {
  await writer.flow(decodeText(bytes));
  return {};
}

/**
 * Reads Markdown as its reader sees it, without the marks, so that a quote holds no stray
 * asterisks. Title, author and date come from a front matter block, the title else from the first
 * heading.
 */
export async function extractMarkdown(
  bytes: Uint8Array,
  limits: ExtractionLimits,
  writer: PageWriter,
): Promise<DocumentMetadata> {
  const source = decodeText(bytes).replace(/\r\n?/g, "\n");
  if (source.length > limits.characters) {
    throw limitExceeded(`it holds more than ${limits.characters} characters of text`);
  }
  const front = /^---\n([\s\S]{0,20000}?)\n(?:---|\.\.\.)(?:\n|$)/.exec(source);
  const body = front === null ? source : source.slice(front[0].length);
  const { text } = htmlToText(Bun.markdown.html(body), limits);
  await writer.flow(text);
  const value = (key: string): string | undefined =>
    new RegExp(`^${key}:[ \\t]*["']?([^"'\\n]+)`, "im").exec(front?.[1] ?? "")?.[1];
  return metadataFrom(value("title") ?? headingOf(body), value("author"), value("date"));
}

/** The words of the first heading that is no longer than a title may be. */
function headingOf(markdown: string): string | undefined {
  for (const [, line = ""] of markdown.matchAll(/^#[ \t]+(\S.*)$/gm)) {
    const words = withoutEnd(line, /[ \t#]/);
    if (words !== "" && words.length <= headingCharacters) return words;
  }
  return undefined;
}

const headingCharacters = 500;
