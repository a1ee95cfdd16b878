/**
 * JSON text of a `Value`: what is kept as text goes to the wire without being parsed and written
 * once more. Whoever makes one answers for it being what `JSON.stringify` gives of that value.
 */
export class JsonText<Value> {
  /** Only a type: texts of different values are not exchanged. */
  declare readonly of: Value;

  constructor(readonly text: string) {}
}

/** A value as JSON text, whether it is that already or not. */
export function jsonOf(value: unknown): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}
