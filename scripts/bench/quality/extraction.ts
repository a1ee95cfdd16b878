import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { unzipSync } from "fflate";
import Papa from "papaparse";
import PostalMime from "postal-mime";
import { extractText as plainPdf } from "unpdf";
import { extractText } from "#server/text/extraction/extract-text.ts";
import type { ExtractedDocument } from "#server/text/extraction/extracted-document.ts";
import type { Group, Row } from "../figures.ts";

const folder = join(import.meta.dirname, "../../../src/server/sample-data/files");

/** The filled cells of the tables in the sample PDF files, counted by hand. */
const cellsOfPdf: Readonly<Record<string, number>> = {
  "decision-notice-the-old-granary.pdf": 14,
  "planning-committee-minutes-2026-11-05.pdf": 8,
  "planning-statement-18-quay-street.pdf": 43,
};

/** A file as a plain reader sees it: all its words, and the filled cells of its tables. */
interface Plain {
  readonly text: string;
  readonly cells: number;
}

/**
 * Extraction of every sample file: the share of the characters that a plain reader of the format
 * sees (text between tags, cells between commas), and the filled table cells that are found.
 */
export function extractionQuality(): Group {
  return {
    name: "extraction of the sample files",
    columns: ["characters", "table cells", "found"],
    async measure() {
      const rows: Row[] = [];
      for (const name of (await readdir(folder)).toSorted()) {
        const path = join(folder, name);
        const document = await extractText(path, { filename: name });
        const plain = await plainReader(name, await Bun.file(path).bytes());
        rows.push(rowOf(name, document, plain));
      }
      return rows;
    },
  };
}

function rowOf(name: string, document: ExtractedDocument, plain: Plain): Row {
  const cells = document.pages.flatMap(({ text, tables = [] }) =>
    tables.flatMap(({ rows }) =>
      rows.flat().filter(([start, end]) => text.slice(start, end) !== ""),
    ),
  );
  const text = document.pages.map((page) => page.text).join("\n");
  return {
    name,
    figures: [share(text, plain.text).toFixed(3), String(plain.cells), String(cells.length)],
  };
}

/** The share of the characters of the plain words that the text has, each word as often. */
function share(text: string, plain: string): number {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  let [all, found] = [0, 0];
  for (const word of wordsOf(plain)) {
    const left = counts.get(word) ?? 0;
    all += word.length;
    if (left > 0) found += word.length;
    counts.set(word, left - 1);
  }
  return all === 0 ? 1 : found / all;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

async function plainReader(name: string, bytes: Uint8Array): Promise<Plain> {
  const source = new TextDecoder().decode(bytes);
  if (name.endsWith(".docx")) {
    const xml = partsOf(bytes, /^word\/document\.xml$/);
    return { text: betweenTags(xml), cells: count(xml, /<w:tc[ >]/g) };
  }
  if (name.endsWith(".xlsx")) {
    const sheets = partsOf(bytes, /^xl\/worksheets\/.*\.xml$/);
    const strings = partsOf(bytes, /^xl\/sharedStrings\.xml$/);
    return { text: betweenTags(strings), cells: count(sheets, /<(?:v|is)>/g) };
  }
  if (name.endsWith(".htm")) {
    const body = source.slice(source.indexOf("<body"));
    return { text: betweenTags(body), cells: count(body, /<t[dh][ >]/g) };
  }
  if (name.endsWith(".csv")) {
    const { data } = Papa.parse<string[]>(source, { skipEmptyLines: "greedy" });
    return { text: source, cells: data.flat().filter((cell) => cell !== "").length };
  }
  if (name.endsWith(".md")) {
    const body = source.replace(/^---\n[^]*?\n---\n/, "");
    const lines = body.split("\n").filter((line) => /^\|.*[^-|\s]/.test(line));
    return { text: body, cells: lines.flatMap((line) => line.split("|").slice(1, -1)).length };
  }
  if (name.endsWith(".pdf")) {
    const { text } = await plainPdf(bytes, { mergePages: true });
    return { text, cells: cellsOfPdf[name] ?? 0 };
  }
  if (name.endsWith(".eml")) {
    const { text = "", attachments } = await PostalMime.parse(bytes);
    const tables = await Promise.all(
      attachments.map(({ filename, content }) =>
        plainReader(filename ?? "", new Uint8Array(content as ArrayBuffer)),
      ),
    );
    const texts = [text, ...tables.map((table) => table.text)];
    return { text: texts.join("\n"), cells: tables.reduce((sum, { cells }) => sum + cells, 0) };
  }
  return { text: source, cells: 0 };
}

function partsOf(bytes: Uint8Array, wanted: RegExp): string {
  const parts = Object.entries(unzipSync(bytes)).filter(([path]) => wanted.test(path));
  return parts.map(([, part]) => new TextDecoder().decode(part)).join("\n");
}

function betweenTags(xml: string): string {
  return xml
    .replace(/<\/?(?:w:p|si|p|td|th|tr|li|h\d|br|div)\b[^>]*>/g, " ")
    .replace(/<[^>]*>/g, "")
    .replace(/&amp;/g, "&");
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
