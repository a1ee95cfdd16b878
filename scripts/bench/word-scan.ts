import { nameWords } from "#server/domains/documents/passage-entry.ts";
import { chunkPages } from "#server/text/passages/chunk-pages.ts";
import { findWords, findWordsByPattern } from "#server/text/terms/find-words.ts";
import { numberedTexts } from "#server/text/terms/numbered-words.ts";
import { visitWords, wordsOfName } from "#server/text/terms/text-words.ts";
import { gainRow, took, type Row } from "./figures.ts";
import { manualPages } from "./quality/manual-pages.ts";

const pagesRead = 1_000;
const passages = 200;
const scans = 200;

/** The words of a search's passages as the platform finds them, next to slower ways. */
export async function wordRows(): Promise<Row[]> {
  const pages = await manualPages(pagesRead);
  const texts = pages.flatMap(({ text }) => chunkPages([{ number: 1, text }]).map((c) => c.text));
  if (texts.length < passages) return [];
  const names = pages.map(({ name }) => name);
  return [
    row(`words of ASCII without a pattern: ${passages} passages`, texts, {
      on: (some) => some.map(findWords),
      off: (some) => some.map(findWordsByPattern),
    }),
    row(`words as numbers: ${passages} passages`, texts, {
      on: numberedTexts,
      off: (some) => some.map((text) => visitWords(text, () => {})),
    }),
    row(`words of ${passages} names, which are kept`, names, {
      on: (some) => some.map((filename) => nameWords({ filename })),
      off: (some) => some.map(wordsOfName),
    }),
  ];
}

/** Both ways in turns over texts from all over the list, as a search has them. */
function row(
  name: string,
  texts: readonly string[],
  ways: Record<"on" | "off", (some: readonly string[]) => unknown>,
): Row {
  const [on, off] = [[] as number[], [] as number[]];
  for (let scan = 0; scan < scans; scan += 1) {
    const some = Array.from({ length: passages }, (_, at) => {
      return texts[((scan * passages + at) * 7_919) % texts.length] ?? "";
    });
    on.push(took(() => ways.on(some)));
    off.push(took(() => ways.off(some)));
  }
  return gainRow(name, on, off);
}
