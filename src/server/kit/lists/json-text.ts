import { TickShare } from "../turns/tick-share.ts";

/** Shorter pieces are joined, so that a page of small records is one text. */
const ownPartLength = 16 * 1024;

/**
 * JSON text of a `Value`: stored text is sent as it is, without parsing. It must be what
 * `JSON.stringify` makes of that value. A page of large records is a text in parts, which are
 * sent one after the other: joined they would take their memory again.
 */
export class JsonText<Value> {
  /** Only for types: texts of different values are different types. */
  declare readonly of: Value;
  readonly parts: readonly string[];
  /** The tag of {@link TextTag}, once it has been made in parts of ticks. */
  tag: string | undefined;

  constructor(...pieces: readonly string[]) {
    this.parts = pieces.length === 1 ? pieces : joinedWhereShort(pieces);
  }

  get text(): string {
    return this.parts.join("");
  }

  /** Makes the entity tag of a large text in parts of ticks. */
  async tagged(share: string): Promise<this> {
    const ticks = new TickShare(share);
    const tag = new TextTag();
    for (const part of this.parts) {
      await ticks.yieldWhenUsed();
      tag.add(part);
    }
    this.tag = tag.text;
    return this;
  }
}

/** The JSON text of a body with a list of items, which is written in parts of ticks. */
export async function textInParts<Name extends string, Item, Rest extends object>(
  share: string,
  name: Name,
  { [name]: items, ...rest }: Readonly<Record<Name, readonly Item[]>> & Rest,
): Promise<JsonText<Readonly<Record<Name, readonly Item[]>> & Rest>> {
  const ticks = new TickShare(share);
  const pieces = [`{${JSON.stringify(name)}:[`];
  for (const [index, item] of items.entries()) {
    await ticks.yieldWhenUsed();
    pieces.push(`${index === 0 ? "" : ","}${JSON.stringify(item)}`);
  }
  const others = JSON.stringify(rest).slice(1);
  return new JsonText(...pieces, others === "}" ? "]}" : `],${others}`);
}

/**
 * Joins the short pieces of a text, all at once: a text that grows piece by piece is copied at its
 * first use, which takes longer. Long pieces stay as they are.
 */
export class TextPieces {
  readonly #parts: string[] = [];
  #short: string[] = [];

  add(piece: string): void {
    if (piece.length < ownPartLength) {
      this.#short.push(piece);
      return;
    }
    this.#parts.push(this.#short.join(""), piece);
    this.#short = [];
  }

  /** The parts; at least one. */
  end(): string[] {
    const last = this.#short.join("");
    if (this.#parts.length === 0) return [last];
    return [...this.#parts, last].filter((part) => part !== "");
  }
}

function joinedWhereShort(pieces: readonly string[]): string[] {
  const joined = new TextPieces();
  for (const piece of pieces) joined.add(piece);
  return joined.end();
}

export function jsonOf(value: unknown): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}

/** The parts of a value's JSON text, in order. */
export function jsonParts(value: unknown): readonly string[] {
  return value instanceof JsonText ? value.parts : [JSON.stringify(value)];
}

/** The weak tag of a JSON text without a version, such as a page of a list: hash and length. */
class TextTag {
  #hash = 0n;
  #length = 0;

  add(part: string): this {
    this.#hash = Bun.hash.xxHash3(part, this.#hash);
    this.#length += part.length;
    return this;
  }

  get text(): string {
    return `W/"${this.#hash.toString(36)}-${this.#length.toString(36)}"`;
  }
}

export function textTag(parts: readonly string[]): string {
  const tag = new TextTag();
  for (const part of parts) tag.add(part);
  return tag.text;
}
