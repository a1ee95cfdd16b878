import Papa from "papaparse";
import { trimEnd } from "#lib/text/trim-end.ts";
import { metadataFrom, type FormatReader } from "../extracted-document.ts";
import { decodeText } from "./encoding.ts";
import { tooManyCharacters } from "../extraction-error.ts";
import { markedRow } from "../../tables/table-marks.ts";
import { htmlToText } from "./html.ts";

const headingCharacters = 500;

export const extractPlainText: FormatReader = async (bytes, _limits, writer) => {
  await writer.flow(await decodeText(bytes));
  return {};
};

/**
 * Reads Markdown without its marks. Title, author and date come from the front matter; without a
 * title there, the first heading is the title.
 */
export const extractMarkdown: FormatReader = async (bytes, limits, writer) => {
  const source = (await decodeText(bytes)).replace(/\r\n?/g, "\n");
  if (source.length > limits.characters) throw tooManyCharacters(limits.characters);
  const front = /^---\n([\s\S]{0,20000}?)\n(?:---|\.\.\.)(?:\n|$)/.exec(source);
  const body = front === null ? source : source.slice(front[0].length);
  const { text } = htmlToText(Bun.markdown.html(body), limits);
  await writer.flow(text);
  const value = (key: string): string | undefined =>
    new RegExp(`^${key}:[ \\t]*["']?([^"'\\n]+)`, "im").exec(front?.[1] ?? "")?.[1];
  return metadataFrom(value("title") ?? headingOf(body), value("author"), value("date"));
};

function headingOf(markdown: string): string | undefined {
  for (const [, line = ""] of markdown.matchAll(/^#[ \t]+(\S.*)$/gm)) {
    const words = trimEnd(line, /[ \t#]/);
    if (words !== "" && words.length <= headingCharacters) return words;
  }
  return undefined;
}

/** Reads CSV (RFC 4180; comma, semicolon, tab or bar): one line per record, tabs between values. */
export const extractCsv: FormatReader = async (bytes, _limits, writer) => {
  const rows: string[] = [];
  let unclosedQuotes = false;
  Papa.parse<string[]>(await decodeText(bytes), {
    skipEmptyLines: "greedy",
    step(result) {
      // Line breaks within a value must not break the record's line.
      const cells = result.data.map((value) => value.replace(/\s+/g, " ").trim());
      rows.push(markedRow(cells, rows.length === 0));
      unclosedQuotes ||= result.errors.some((error) => error.type === "Quotes");
    },
  });
  if (unclosedQuotes) {
    writer.warn(
      "A quotation mark in this CSV file is not closed; some values may be run together.",
    );
  }
  await writer.flow(rows.join("\n"));
  return {};
};
