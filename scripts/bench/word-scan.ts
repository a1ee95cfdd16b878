import { chunkPages } from "#server/text/passages/chunk-pages.ts";
import { findWords, findWordsByPattern } from "#server/text/terms/find-words.ts";
import { gainRow, took, type Row } from "./figures.ts";
import { manualPages } from "./quality/manual-pages.ts";

const pagesRead = 300;
const passages = 200;
const scans = 200;

/** The words of a search's passages as the platform finds them, next to the pattern alone. */
export async function wordScanRow(): Promise<Row | undefined> {
  const pages = await manualPages(pagesRead);
  const texts = pages.flatMap(({ text }) => chunkPages([{ number: 1, text }]).map((c) => c.text));
  if (texts.length < passages) return undefined;
  const [on, off] = [[] as number[], [] as number[]];
  for (let scan = 0; scan < scans; scan += 1) {
    const from = (scan * passages) % (texts.length - passages + 1);
    const some = texts.slice(from, from + passages);
    on.push(took(() => some.map(findWords)));
    off.push(took(() => some.map(findWordsByPattern)));
  }
  return gainRow(`words of ASCII without a pattern: ${passages} passages`, on, off);
}
