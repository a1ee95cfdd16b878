import { deepestJson, mark, nestsTooDeep, scanJson, type Inside } from "#lib/json/scan.ts";

/** The text is neither a JSON list nor a sequence of JSON values; the message says why. */
export class JsonItemsError extends Error {
  override readonly name = "JsonItemsError";
}

/** An item nests too deep to be parsed. */
export class JsonItemDepthError extends Error {
  override readonly name = "JsonItemDepthError";
  /** Its place among the items, from 0. */
  readonly index: number;

  constructor(index: number) {
    super(nestsTooDeep);
    this.index = index;
  }
}

const notBlank = /[^ \n\r\t\ufeff]/;

/**
 * Splits a stream of JSON text into the texts of its items: those of one list, or of a sequence of
 * values (NDJSON). Keeps one item of at most `longestItem` UTF-16 units and does not parse it.
 * Throws {@link JsonItemsError}, and {@link JsonItemDepthError} once the items before it are taken.
 */
export class JsonItems {
  readonly #longestItem: number;
  #form: "unknown" | "list" | "values" | "ended" = "unknown";
  #depth = 0;
  #inside: Inside;
  #pieces: string[] = [];
  #length = 0;
  #count = 0;
  #isTooDeep = false;

  constructor(longestItem: number) {
    this.#longestItem = longestItem;
  }

  get isList(): boolean {
    return this.#form === "list" || this.#form === "ended";
  }

  /** The items that end in this chunk. */
  push(chunk: string): string[] {
    this.#requireDepth();
    let start = this.#form === "unknown" ? this.#begin(chunk) : 0;
    const items: string[] = [];
    const take = (end: number, next: number): void => {
      const item = this.#take(chunk.slice(start, end));
      start = next;
      if (item === "" && (this.#form === "values" || (this.#count === 0 && isEnd))) return;
      items.push(item);
      this.#count += 1;
    };
    let isEnd = this.#form === "ended";
    if (isEnd) requireBlank(chunk);
    if (isEnd || this.#form === "unknown") return items;
    const visit = (code: number, at: number): boolean => {
      if (code === mark.openBrace || code === mark.openBracket) {
        this.#depth += 1;
        this.#isTooDeep = this.#depth > deepestJson;
        return this.#isTooDeep;
      }
      const isClosing = code === mark.closeBrace || code === mark.closeBracket;
      if (isClosing && this.#depth > 0) {
        this.#depth -= 1;
        if (this.#depth === 0 && this.#form === "values") take(at + 1, at + 1);
        return false;
      }
      if (this.#depth > 0) return false;
      if (this.#form === "values") {
        if (code === mark.blank) take(at, at + 1);
        return false;
      }
      isEnd = code === mark.closeBracket;
      if (isEnd || code === mark.comma) take(at, at + 1);
      if (isEnd) requireBlank(chunk.slice(at + 1));
      return isEnd;
    };
    this.#inside = scanJson(chunk, visit, start, this.#inside);
    if (isEnd) this.#form = "ended";
    else if (!this.#isTooDeep) this.#keep(chunk.slice(start));
    return items;
  }

  /** Finds out what the text is from its first character; returns the place where items start. */
  #begin(chunk: string): number {
    const first = chunk.search(notBlank);
    if (first === -1) return chunk.length;
    this.#form = chunk.startsWith("[", first) ? "list" : "values";
    return this.#form === "list" ? first + 1 : first;
  }

  /** The last item, which only the end of the text ends. */
  end(): string[] {
    this.#requireDepth();
    if (this.#form === "list") throw new JsonItemsError("the list does not end");
    const item = this.#form === "values" ? this.#take("") : "";
    return item === "" ? [] : [item];
  }

  #requireDepth(): void {
    if (this.#isTooDeep) throw new JsonItemDepthError(this.#count);
  }

  #keep(piece: string): void {
    this.#length += piece.length;
    if (this.#length > this.#longestItem) {
      throw new JsonItemsError(
        `an item is longer than ${Math.floor(this.#longestItem / 1024 / 1024)} MiB`,
      );
    }
    this.#pieces.push(piece);
  }

  #take(piece: string): string {
    this.#keep(piece);
    const item = this.#pieces.join("");
    this.#pieces = [];
    this.#length = 0;
    return item.trim();
  }
}

function requireBlank(text: string): void {
  if (notBlank.test(text)) throw new JsonItemsError("something follows the list");
}
