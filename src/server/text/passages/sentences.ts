import { cutAt } from "../cut-at-character.ts";

/** A part of a text: `text` is `source.slice(start, end)`, in UTF-16 code units. */
export type Sentence = { start: number; end: number; text: string };

const sentenceCharactersAtMost = 1_000;
/** Lines of these widths may belong to a wrapped paragraph. */
const wrappedWidth = { from: 45, to: 130 };
const abbreviations =
  "mr mrs ms dr prof cllr st rev hon no nos fig ref para sec art p pp vol ed eds dept tel approx " +
  "est inc ltd co corp vs cf e\\.g i\\.e etc jan feb mar apr jun jul aug sept? oct nov dec \\p{Lu}";
const abbreviation = new RegExp(`(?:^|[\\s(])(?:${abbreviations.replaceAll(" ", "|")})\\.$`, "iu");
/** The longest abbreviation and the characters before it are shorter. */
const openEndLength = 16;
/** A day such as "3." goes on with its month: "3. März 2026", "3. mai", "3. 12. 2026". */
const dayNumber = /(?:^|[\s(])\d{1,2}\.$/;
const month = /^(?:jan|jän|feb|mär|mar|apr|mai|maj|jun|jul|aug|sep|okt|nov|dez|dec|des|\d)/i;
const listNumber = /^\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]$/i;
const listMark = "[•·▪◦‣*–—-]|\\(?(?:\\d{1,3}|[a-z]|[ivx]{1,5})[.)]";
const lineOfItsOwn = new RegExp(
  `^\\s*(?:(?:${listMark})\\s|\\p{L}[\\p{L}\\p{N} /'-]{0,40}:\\s)`,
  "iu",
);

/** ICU's sentence rules, created once because that costs more than a use. */
const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
/** A unit without one of these inside is one sentence, e.g. a row or a heading. */
const innerEnd = /[\p{Sentence_Terminal}\r\u0085\u2028\u2029]./su;

/**
 * Splits text into trimmed sentences, in order. Empty lines and the ends of rows, list items and
 * "label: value" lines end a sentence; wrapped lines do not. Cuts after 1,000 code units.
 */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  for (const [start, end] of findUnits(text)) {
    // A space replaces each line feed, so that offsets stay.
    const unit = text.slice(start, end).replaceAll("\n", " ");
    if (!innerEnd.test(unit)) {
      addSentence(sentences, text, start, end);
      continue;
    }
    let from = 0;
    let to = 0;
    for (const { segment, index } of segmenter.segment(unit)) {
      to = index + segment.length;
      // Only the end is copied; otherwise a page of initials would take quadratic time.
      const tail = unit.slice(Math.max(from, to - openEndLength), to).trim();
      if (to < unit.length && (isOpenEnd(tail) || isInDate(tail, unit.slice(to, to + 3)))) continue;
      addSentence(sentences, text, start + from, start + to);
      from = to;
    }
  }
  return sentences;
}

/** True after an abbreviation or a list item's number, where a sentence cannot end. */
function isOpenEnd(segment: string): boolean {
  return listNumber.test(segment) || abbreviation.test(segment);
}

function isInDate(tail: string, next: string): boolean {
  return dayNumber.test(tail) && month.test(next);
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

/** The units that are split into sentences: paragraphs and single lines. */
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

/** True if the next line's first word had no room on this line. */
function isWrapped(line: string, next: string, width: number): boolean {
  if (width < wrappedWidth.from || width > wrappedWidth.to) return false;
  if (line.includes("\t") || next.includes("\t") || lineOfItsOwn.test(next)) return false;
  const firstWord = /^\s*\S+/.exec(next)?.[0] ?? "";
  return firstWord !== "" && line.length + 1 + firstWord.length > width;
}
