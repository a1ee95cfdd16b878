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

  constructor(...pieces: readonly string[]) {
    this.parts = pieces.length === 1 ? pieces : joinedWhereShort(pieces);
  }

  get text(): string {
    return this.parts.join("");
  }
}

function joinedWhereShort(pieces: readonly string[]): string[] {
  const parts: string[] = [];
  let short = "";
  for (const piece of pieces) {
    if (piece.length < ownPartLength) {
      short += piece;
      continue;
    }
    parts.push(short, piece);
    short = "";
  }
  parts.push(short);
  return parts.filter((part) => part !== "");
}

export function jsonOf(value: unknown): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}

/** The parts of a value's JSON text, in order. */
export function jsonParts(value: unknown): readonly string[] {
  return value instanceof JsonText ? value.parts : [JSON.stringify(value)];
}
