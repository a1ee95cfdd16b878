/**
 * JSON text of a `Value`: stored text is sent as it is, without parsing. It must be what
 * `JSON.stringify` makes of that value.
 */
export class JsonText<Value> {
  /** Only for types: texts of different values are different types. */
  declare readonly of: Value;

  constructor(readonly text: string) {}
}

export function jsonOf(value: unknown): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}
