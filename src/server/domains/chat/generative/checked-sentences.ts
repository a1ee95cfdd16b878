import type { Citation } from "#contract/documents/chat.ts";
import { ModelError } from "../../../models/model-error.ts";
import { findTerms } from "../../../text/terms/terms.ts";
import { verifyQuote } from "../../../text/passages/select-passages.ts";
import { splitSentences } from "../../../text/passages/sentences.ts";
import type { AnswerPart, AnswerSource } from "../answer-engine.ts";
import { contradicts } from "./contradictions.ts";

const marker = /\s*\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]/g;
/** A sentence with fewer words and no number claims nothing, e.g. "Yes." or a heading. */
const fewestTerms = 2;
/** The sign of a list or heading, which is no number of the claim. */
const listSign = /^\s*(?:\d{1,3}[.)]|[-*#•]+)\s+/;
/** A longer piece with so few words is not language, e.g. one repeated character. */
const wordlessAtMost = 300;
/** A sentence without a marker needs more, because the model names no source of it. */
const unmarkedSupport = 0.75;
const quoteCharactersAtMost = 1_000;
/** The distance at which a word still counts as next to a number. */
const nearCharacters = 60;

/** A row of a Markdown table, and its end, before which its markers stay in the last cell. */
const tableRow = /^\|.*\|$/;
const rowEnd = /\s*\|$/;
/** A heading of a table has so few words in each cell, and no number. */
const headTermsAtMost = 3;

function withMarkers(bare: string, markers: string): string {
  return tableRow.test(bare) ? `${bare.replace(rowEnd, "")}${markers} |` : bare + markers;
}

/** True for a first row of a table that names columns and claims nothing. */
function isTableHead(row: string): boolean {
  return (
    !/\d/.test(row) && row.split("|").every((cell) => findTerms(cell).length <= headTermsAtMost)
  );
}

/** A text that supports sentences but has no page to cite, e.g. a record. */
export interface PlainSource {
  readonly text: string;
}

/**
 * Checks the sentences of an answer before they leave. A marker stays only where the words and all
 * numbers of its sentence are in that source, each number next to a word of the sentence; its
 * citation is a verbatim sentence of the page. A sentence without support gets the marker `[?]`.
 * Throws ModelError for a long text without words.
 */
export class CheckedSentences {
  readonly #citations = new Map<string, Citation>();
  #length = 0;
  #isInTable = false;

  constructor(
    private readonly sources: readonly (AnswerSource | PlainSource)[],
    private readonly leastSupport: number,
    /** Sentences that need no support. */
    private readonly exempt: ReadonlySet<string>,
  ) {}

  *take(piece: string): Generator<AnswerPart, void, void> {
    const body = piece.trimEnd();
    const bare = body.replaceAll(marker, "").trim();
    const space = piece.slice(body.length);
    const start = this.#length;
    if (bare === "") {
      yield* this.#say(space);
      return;
    }
    const isRow = tableRow.test(bare);
    const isHead = isRow && !this.#isInTable && isTableHead(bare);
    this.#isInTable = isRow && !/\n\s*\n/.test(space);
    const claim = claimOf(bare);
    if (claim.terms.size < fewestTerms && bare.length > wordlessAtMost) {
      throw new ModelError("malformed", { detail: "it has no words" });
    }
    if (isHead || !isClaim(bare, claim) || this.exempt.has(bare)) {
      yield* this.#say(bare + space);
      return;
    }
    const named = [...body.matchAll(marker)].flatMap(([, numbers = ""]) =>
      numbers.split(",").map((number) => Number(number) - 1),
    );
    const supporting = this.#supporting(claim, named);
    if (supporting.length === 0) {
      yield* this.#say(withMarkers(bare, " [?]") + space);
      const span = { start, end: start + bare.replace(rowEnd, "").length };
      yield { type: "unsupported", data: { span, reason: reasonOf(named.length > 0, claim) } };
      return;
    }
    const cited = supporting.flatMap((source) => this.#citationOf(source, claim));
    const markers = [...new Set(cited.map(({ citation }) => citation.id))];
    yield* this.#say(withMarkers(bare, markers.map((id) => ` [${id}]`).join("")) + space);
    for (const { citation, mediaType, isNew } of cited) {
      if (isNew) yield { type: "citation", citation, mediaType };
    }
  }

  *#say(text: string): Generator<AnswerPart, void, void> {
    this.#length += text.length;
    if (text !== "") yield { type: "text", text };
  }

  /** The named sources that support a claim, or else the best of all. */
  #supporting(claim: Claim, named: readonly number[]): (AnswerSource | PlainSource)[] {
    const own = named
      .flatMap((place) => this.sources[place] ?? [])
      .filter((source) => this.#supportOf(claim, source) >= this.leastSupport);
    if (own.length > 0) return [...new Set(own)];
    const [best] = this.sources
      .map((source) => ({ source, support: this.#supportOf(claim, source) }))
      .filter(({ support }) => support >= Math.max(unmarkedSupport, this.leastSupport))
      .toSorted((one, other) => other.support - one.support);
    return best === undefined ? [] : [best.source];
  }

  /** The share of a claim's words in a source; 0 when its sentence says something else. */
  #supportOf(claim: Claim, source: AnswerSource | PlainSource): number {
    const support = supportOf(claim, source.text);
    if (support < this.leastSupport) return support;
    const { start, end } = bestSentence(source, claim);
    return contradicts(claim.text, source.text.slice(start, end)) ? 0 : support;
  }

  #citationOf(source: AnswerSource | PlainSource, claim: Claim) {
    if (!("page" in source)) return [];
    const quoted = bestSentence(source, claim);
    const span = { start: source.start + quoted.start, end: source.start + quoted.end };
    const quote = source.text.slice(quoted.start, quoted.end);
    const place = { start: quoted.start, end: quoted.end };
    if (!verifyQuote(source.text, place, quote)) return [];
    const key = `${source.documentId} ${source.page} ${span.start} ${span.end}`;
    const known = this.#citations.get(key);
    const { documentId, documentNumber, filename, page, mediaType } = source;
    const citation: Citation = known ?? {
      id: String(this.#citations.size + 1),
      documentId,
      documentNumber,
      filename,
      page,
      span,
      quote,
      score: Math.round(supportOf(claim, quote) * 1_000) / 1_000,
    };
    this.#citations.set(key, citation);
    return [{ citation, mediaType, isNew: known === undefined }];
  }
}

interface Claim {
  /** The sentence without markers and the sign of a list. */
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  readonly numbers: readonly NumberInText[];
  /** Texts in quotation marks, which must be verbatim. */
  readonly quotes: readonly string[];
}

const number = /\d+(?:[.,:/-]\d+)*/g;
const quotation = /[“"„]([^“”"„]{8,})[”"“]/g;

/** A single word may be a heading, and a text that ends with a colon leads to the next one. */
function isClaim(sentence: string, { terms, numbers }: Claim): boolean {
  if (terms.size === 0) return false;
  if (numbers.length > 0) return true;
  return terms.size >= fewestTerms && !(terms.size === fewestTerms && sentence.endsWith(":"));
}

function claimOf(written: string): Claim {
  const sentence = written.replace(listSign, "");
  return {
    text: sentence,
    terms: new Set(findTerms(sentence).map(({ term }) => term)),
    numbers: numbersOf(sentence, 2),
    quotes: [...sentence.matchAll(quotation)].map(([, text = ""]) => onOneLine(text)),
  };
}

/** A number says something only with the words next to it, e.g. its unit or what it counts. */
interface NumberInText {
  readonly text: string;
  /** Stems of the nearest words on both sides. */
  readonly near: readonly string[];
}

function numbersOf(text: string, wordsPerSide: number): NumberInText[] {
  return [...text.matchAll(number)].map(({ 0: found, index }) => {
    const end = index + found.length;
    const before = findTerms(text.slice(Math.max(0, index - nearCharacters), index));
    const after = findTerms(text.slice(end, end + nearCharacters));
    const near = [...before.slice(-wordsPerSide), ...after.slice(0, wordsPerSide)];
    return { text: found, near: near.map(({ term }) => term) };
  });
}

/** True if a source has a number of a claim, next to one of its words or their short form. */
function hasNumber(known: readonly NumberInText[], { text, near }: NumberInText): boolean {
  return known.some(
    (other) =>
      other.text === text &&
      (near.length === 0 ||
        near.some((one) =>
          other.near.some((word) => word.startsWith(one) || one.startsWith(word)),
        )),
  );
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** The share of a claim's words in a text; 0 when a number or a quotation is missing. */
function supportOf({ terms, numbers, quotes }: Claim, text: string): number {
  const known = numbers.length === 0 ? [] : numbersOf(text, 3);
  if (!numbers.every((each) => hasNumber(known, each))) return 0;
  const line = quotes.length === 0 ? "" : onOneLine(text);
  if (quotes.some((quote) => !line.includes(quote))) return 0;
  const stems = new Set(findTerms(text).map(({ term }) => term));
  const having = [...terms].filter((term) => stems.has(term)).length;
  return terms.size === 0 ? 0 : having / terms.size;
}

/** The sentence of a source that has most of a claim. */
function bestSentence(source: PlainSource, claim: Claim): { start: number; end: number } {
  const sentences = splitSentences(source.text);
  let best = { start: 0, end: Math.min(source.text.length, quoteCharactersAtMost) };
  let worth = -1;
  for (const { start, end, text } of sentences) {
    const stems = new Set(findTerms(text).map(({ term }) => term));
    const having = [...claim.terms].filter((term) => stems.has(term)).length;
    const numbers = claim.numbers.filter((each) => text.includes(each.text)).length;
    if (having + numbers > worth) {
      worth = having + numbers;
      best = { start, end };
    }
  }
  return best;
}

function reasonOf(isMarked: boolean, { numbers, quotes }: Claim): string {
  const what =
    quotes.length > 0
      ? "its quotation"
      : numbers.length > 0
        ? "its words and numbers"
        : "its words";
  return isMarked ? `The cited source does not have ${what}` : `No source has ${what}`;
}
