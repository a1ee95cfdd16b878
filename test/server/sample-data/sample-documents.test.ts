import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { ExtractedDocument } from "#server/text/extraction/extracted-document.ts";
import { extractText } from "#server/text/extraction/extract-text.ts";
import { type Chunk, chunkPages } from "#server/text/passages/chunk-pages.ts";
import { selectPassages, verifyQuote } from "#server/text/passages/select-passages.ts";
import { findTerms } from "#server/text/terms/terms.ts";
import { sampleDocuments } from "#server/sample-data/sample-documents.ts";
import { temporaryDirectory } from "../../support/temporary.ts";

type Source = Chunk & { documentId: string; context: string };

const kibibyte = 1024;
const documents = new Map<string, ExtractedDocument>();
const chunks: Source[] = [];

beforeAll(async () => {
  const folder = await temporaryDirectory("samples");
  for (const { filename, mediaType, title, open } of sampleDocuments) {
    const path = join(folder, filename);
    await Bun.write(path, await open());
    const document = await extractText(path, { filename, mediaType });
    documents.set(filename, document);
    for (const chunk of chunkPages(document.pages)) {
      chunks.push({ ...chunk, documentId: filename, context: title });
    }
  }
});

/** Ranks chunks like a plain full-text index, by the number of the question's words. */
function findChunks(question: string): { chunk: Source; score: number }[] {
  const terms = [...new Set(findTerms(question).map(({ term }) => term))];
  const found = chunks.map((chunk) => {
    const text = `${chunk.text} ${chunk.context}`.toLowerCase();
    return { chunk, score: terms.filter((term) => text.includes(term)).length };
  });
  return found.filter(({ score }) => score > 0);
}

test("the files are small, and three PDFs have several pages", async () => {
  const sizes = await Promise.all(
    sampleDocuments.map(async ({ open }) => (await open()).byteLength),
  );
  expect(Math.max(...sizes)).toBeLessThan(60 * kibibyte);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(300 * kibibyte);
  const pdfs = [...documents.values()].filter((each) => each.mediaType === "application/pdf");
  expect(pdfs.map((each) => each.pages.length)).toEqual([3, 2, 2]);
});

test("there is one of each kind, and none names its author", () => {
  const kinds = new Set(sampleDocuments.map((each) => documents.get(each.filename)?.mediaType));
  expect(kinds.size).toBe(8);
  for (const { filename, mediaType } of sampleDocuments) {
    const document = documents.get(filename)!;
    expect(document.mediaType).toBe(mediaType);
    expect(document.warnings).toEqual([]);
    if (mediaType.startsWith("application/")) expect(document.metadata.author).toBeUndefined();
  }
});

test.each(sampleDocuments.filter((each) => each.about !== null))(
  "$filename names its application",
  ({ filename, about, title }) => {
    const text = documents.get(filename)!.pages.map((page) => page.text);
    expect(text.join("\n")).toContain(about ?? title);
  },
);

test.each(sampleDocuments)("$question", ({ filename, question, answerContains }) => {
  const [best] = selectPassages(question, findChunks(question));
  expect(best?.quote.replace(/\s+/g, " ")).toContain(answerContains);
  expect(best?.chunk.documentId).toBe(filename);
  const page = documents.get(filename)!.pages[best!.page - 1]!;
  expect(verifyQuote(page.text, best!, best!.quote)).toBe(true);
});

test("the facts of different documents agree", () => {
  const question = "When is the decision on PA-2026-0042 due?";
  const quotes = selectPassages(question, findChunks(question), { limit: 5 });
  expect(quotes.length).toBeGreaterThan(0);
  for (const { quote } of quotes) expect(quote).toContain("18 December 2026");
});

test.each(["What is the capital of France?", "When is the decision on PA-2026-9999 due?"])(
  "no document answers: %s",
  (question) => {
    expect(selectPassages(question, findChunks(question))).toEqual([]);
  },
);
