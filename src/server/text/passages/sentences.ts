import { cutAt } from "../cut-at-character.ts";

/** A stretch of a text: `text` is exactly `source.slice(start, end)`, in UTF-16 code units. */
export type Sentence = { start: number; end: number; text: string };

const sentenceCharactersAtMost = 1_000;
/** Lines between these widths may be lines of a paragraph that was wrapped by hand. */
const wrappedWidth = { from: 45, to: 130 };
const abbreviations =
  "mr mrs ms dr prof cllr st rev hon no nos fig ref para sec art p pp vol ed eds dept tel approx " +
  "est inc ltd co corp vs cf e\\.g i\\.e etc jan feb mar apr jun jul aug sept? oct nov dec \\p{Lu}";
const abbreviation = new RegExp(`(?:^|[\\s(])(?:${abbreviations.replaceAll(" ", "|")})\\.$`, "iu");
/** More than the longest abbreviation with what stands before it. */
const openEndLength = 16;
const listNumber = /^\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]$/i;
const listMark = "[•·▪◦‣*–—-]|\\(?(?:\\d{1,3}|[a-z]|[ivx]{1,5})[.)]";
const lineOfItsOwn = new RegExp(
  `^\\s*(?:(?:${listMark})\\s|\\p{L}[\\p{L}\\p{N} /'-]{0,40}:\\s)`,
  "iu",
);

/** ICU's sentence rules; one for all, since making it costs more than using it. */
const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
/** Without one of these inside it, a unit is one sentence: most rows and headings are. */
const innerEnd = /[\p{Sentence_Terminal}\r\u0085\u2028\u2029]./su;

/**
 * Splits text into sentences, in order. An empty line always ends one; a line's end does where it
 * was meant (a table row, a list item, a "label: value" line), not where a paragraph was wrapped by
 * hand. Abbreviations and the number of a list item end none. A stretch of more than 1,000 code
 * units without an end is cut at a space. Blanks around sentences belong to none of them.
 */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const [start, end] of findUnits(text)) {
    // Wrapped lines are read as one; a space takes a line feed's place, so no offset moves.
    const unit = text.slice(start, end).replaceAll("\n", " ");
    if (!innerEnd.test(unit)) {
      addSentence(sentences, text, start, end);
      continue;
    }
    let from = 0;
    let to = 0;
    for (const { segment, index } of segmenter.segment(unit)) {
      to = index + segment.length;
      // Its end is enough to look at: a page of initials must not be copied for each of them.
      const tail = unit.slice(Math.max(from, to - openEndLength), to).trim();
      if (isOpenEnd(tail) && to < unit.length) continue;
      addSentence(sentences, text, start + from, start + to);
      from = to;
    }
  }
  return sentences;
}

/** True when a sentence can't end here: after an abbreviation or a list item's number. */
function isOpenEnd(segment: string): boolean {
  return listNumber.test(segment) || abbreviation.test(segment);
}

function addSentence(sentences: Sentence[], text: string, from: number, to: number): void {
  let start = from;
  let end = to;
  while (start < end && isBlank(text, start)) start += 1;
  while (end > start && isBlank(text, end - 1)) end -= 1;
  while (end - start > sentenceCharactersAtMost) {
    const cut = findCut(text, start);
    sentences.push(sentenceAt(text, start, cut));
    start = cut;
    while (start < end && isBlank(text, start)) start += 1;
  }
  if (end > start) sentences.push(sentenceAt(text, start, end));
}

function sentenceAt(text: string, start: number, end: number): Sentence {
  let last = end;
  while (last > start + 1 && isBlank(text, last - 1)) last -= 1;
  return { start, end: last, text: text.slice(start, last) };
}

function findCut(text: string, start: number): number {
  const window = text.slice(start, start + sentenceCharactersAtMost);
  const space = Math.max(
    window.lastIndexOf(" "),
    window.lastIndexOf("\n"),
    window.lastIndexOf("\t"),
  );
  if (space > sentenceCharactersAtMost / 2) return start + space;
  return cutAt(text, start + window.length);
}

function isBlank(text: string, index: number): boolean {
  return /\s/.test(text.charAt(index));
}

/** The stretches within which lines run on: paragraphs, or the lines of what is no paragraph. */
function* findUnits(text: string): Generator<[start: number, end: number]> {
  let start = 0;
  while (start < text.length) {
    const blank = text.indexOf("\n\n", start);
    const end = blank === -1 ? text.length : blank;
    yield* findRunsOfLines(text, start, end);
    start = end + 2;
  }
}

function* findRunsOfLines(
  text: string,
  start: number,
  end: number,
): Generator<[start: number, end: number]> {
  const lines = text.slice(start, end).split("\n");
  const width = lines.reduce((widest, line) => Math.max(widest, line.length), 0);
  let from = start;
  let at = start;
  for (const [index, line] of lines.entries()) {
    at += line.length + 1;
    const next = lines[index + 1];
    if (next !== undefined && isWrapped(line, next, width)) continue;
    if (at - 1 > from) yield [from, at - 1];
    from = at;
  }
}

/**
 * True when the next line's first word had no room on this line: the break is the page's, not the
 * writer's.
 */
function isWrapped(line: string, next: string, width: number): boolean {
  if (width < wrappedWidth.from || width > wrappedWidth.to) return false;
  if (line.includes("\t") || next.includes("\t") || lineOfItsOwn.test(next)) return false;
  const firstWord = /^\s*\S+/.exec(next)?.[0] ?? "";
  return firstWord !== "" && line.length + 1 + firstWord.length > width;
}
