import Papa from "papaparse";
import type { FormatReader } from "../extracted-document.ts";
import { decodeText } from "./encoding.ts";

/** Reads CSV (RFC 4180; comma, semicolon, tab or bar): one line per record, tabs between values. */
export const extractCsv: FormatReader = async (bytes, _limits, writer) => {
  const rows: string[] = [];
  let unclosedQuotes = false;
  Papa.parse<string[]>(decodeText(bytes), {
    skipEmptyLines: "greedy",
    step(result) {
      // Line breaks within a value must not break the record's line.
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
};
