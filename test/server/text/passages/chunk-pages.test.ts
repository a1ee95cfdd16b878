import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chunkPages } from "#server/text/passages/chunk-pages.ts";

const sentence = (number: number): string =>
  `Sentence number ${number} says a little of something.`;
const page = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => sentence(from + index)).join(" ");

describe("chunkPages", () => {
  test("a chunk has whole sentences and begins with the previous one's last", () => {
    const chunks = chunkPages([{ number: 1, text: page(1, 6) }], { targetCharacters: 150 });
    expect(chunks.map((chunk) => chunk.text)).toEqual([
      `${sentence(1)} ${sentence(2)} ${sentence(3)}`,
      `${sentence(3)} ${sentence(4)} ${sentence(5)}`,
      `${sentence(5)} ${sentence(6)}`,
    ]);
  });

  test("chunks are numbered through the document and never cross a page", () => {
    const chunks = chunkPages([
      { number: 1, text: "One." },
      { number: 2, text: "" },
      { number: 3, text: "Three. And more." },
    ]);
    expect(chunks).toEqual([
      { index: 0, page: 1, start: 0, end: 4, text: "One.", headings: [] },
      { index: 1, page: 3, start: 0, end: 16, text: "Three. And more.", headings: [] },
    ]);
  });

  test("a chunk has the heading above it and those inside it", () => {
    const pages = [
      { number: 1, text: `Parking\n\n${page(1, 4)}` },
      { number: 2, text: `${page(5, 2)}\n\nNoise\n\n${page(7, 1)}` },
      { number: 3, text: page(8, 1) },
    ];
    const chunks = chunkPages(pages, { targetCharacters: 150, overlapSentences: 0 });
    expect(chunks.map(({ page: number, headings }) => [number, headings])).toEqual([
      [1, ["Parking"]],
      [1, ["Parking"]],
      [2, ["Parking"]],
      [2, ["Parking", "Noise"]],
      [3, ["Noise"]],
    ]);
    const [first] = chunkPages([{ number: 4, text: page(1, 1) }], { heading: "Noise" });
    expect(first?.headings).toEqual(["Noise"]);
  });

  test("a heading begins the next chunk if this one is full enough", () => {
    const text = `${page(1, 3)}\n\n2. Parking\n\n${page(4, 2)}`;
    const chunks = chunkPages([{ number: 1, text }], {
      targetCharacters: 200,
      overlapSentences: 0,
    });
    expect(chunks.map((chunk) => chunk.text)).toEqual([page(1, 3), `2. Parking\n\n${page(4, 2)}`]);
  });

  test("every chunk is a verbatim slice, and every visible character is in one", () => {
    const text = fc.array(
      fc.oneof(
        fc.lorem({ mode: "sentences" }),
        fc.constantFrom("\n\n", "\t", "Fee: £3\n", "y".repeat(2000)),
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(
        fc.array(text, { maxLength: 4 }),
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 0, max: 4 }),
        (texts, targetCharacters, overlapSentences) => {
          const pages = texts.map((parts, index) => ({ number: index + 1, text: parts.join(" ") }));
          const chunks = chunkPages(pages, { targetCharacters, overlapSentences });
          const covered = pages.map(() => new Set<number>());
          chunks.forEach((chunk, index) => {
            expect(chunk.index).toBe(index);
            const source = pages[chunk.page - 1]!.text;
            expect(chunk.text).toBe(source.slice(chunk.start, chunk.end));
            expect(chunk.text.trim()).not.toBe("");
            for (let at = chunk.start; at < chunk.end; at += 1) covered[chunk.page - 1]!.add(at);
          });
          for (const [index, each] of pages.entries()) {
            for (const match of each.text.matchAll(/\S/g)) {
              expect(covered[index]!.has(match.index)).toBe(true);
            }
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
