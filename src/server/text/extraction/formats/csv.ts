import Papa from "papaparse";
import type { DocumentMetadata, PageWriter } from "../extracted-document.ts";
import { decodeText } from "./encoding.ts";
import type { ExtractionLimits } from "../extraction-limits.ts";

/**
 * Reads CSV (RFC 4180; comma, semicolon, tab or bar): a record a line, its values parted by tabs.
 */
export async function extractCsv(
  bytes: Uint8Array,
  _limits: ExtractionLimits,
  writer: PageWriter,
): Promise<DocumentMetadata> {
  const rows: string[] = [];
  let unclosedQuotes = false;
  Papa.parse<string[]>(decodeText(bytes), {
    skipEmptyLines: "greedy",
    step(result) {
      // A value may hold line breaks of its own; a record stays on its line.
      rows.push(result.data.map((value) => value.replace(/\s+/g, " ").trim()).join("\t"));
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
}
