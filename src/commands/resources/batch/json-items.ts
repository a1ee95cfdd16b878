import { deepestJson, nestsTooDeep } from "#lib/json-depth.ts";
import {
  backslash,
  closeBrace,
  closeBracket,
  comma,
  openBrace,
  openBracket,
  quote,
} from "#lib/json-text.ts";

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

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09 || unit === 0xfeff;
}

/**
 * Splits a stream of JSON text into the texts of its items: those of one list, or of a sequence of
 * values (NDJSON). Holds one item of at most `longestItem` UTF-16 units and does not parse it.
 * Throws {@link JsonItemsError}, and {@link JsonItemDepthError} once the items before it are taken.
 */
export class JsonItems {
  readonly #longestItem: number;
  #form: "unknown" | "list" | "values" | "ended" = "unknown";
  #depth = 0;
  #inString = false;
  #isEscaped = false;
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
    const items: string[] = [];
    let start = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      const unit = chunk.charCodeAt(index);
      if (this.#inString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (unit === backslash) this.#isEscaped = true;
        else if (unit === quote) this.#inString = false;
        continue;
      }
      if (this.#form === "unknown" && !isBlank(unit)) {
        this.#form = unit === openBracket ? "list" : "values";
        start = this.#form === "list" ? index + 1 : index;
        if (this.#form === "list") continue;
      }
      if (this.#form === "ended" && !isBlank(unit)) {
        throw new JsonItemsError("something follows the list");
      }
      if (unit === quote) {
        this.#inString = true;
        continue;
      }
      const isOpening = unit === openBrace || unit === openBracket;
      const isClosing = unit === closeBrace || unit === closeBracket;
      if (isOpening) {
        this.#depth += 1;
        if (this.#depth <= deepestJson) continue;
        this.#isTooDeep = true;
        return items;
      }
      if (isClosing && this.#depth > 0) {
        this.#depth -= 1;
        if (this.#depth === 0 && this.#form === "values") {
          items.push(this.#take(chunk.slice(start, index + 1)));
          this.#count += 1;
          start = index + 1;
        }
      } else if (this.#depth === 0) {
        const isEnd = this.#form === "list" && unit === closeBracket;
        const isSeparator = this.#form === "list" ? unit === comma || isEnd : isBlank(unit);
        if (!isSeparator) continue;
        const item = this.#take(chunk.slice(start, index));
        start = index + 1;
        if (this.#form === "list" ? !(isEnd && item === "" && this.#count === 0) : item !== "") {
          items.push(item);
          this.#count += 1;
        }
        if (isEnd) this.#form = "ended";
      }
    }
    if (this.#form !== "ended" && this.#form !== "unknown") this.#keep(chunk.slice(start));
    return items;
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
