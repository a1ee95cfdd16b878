/**
 * A schema as plain data. A value that has the shape passes the schema, and the schema changes it
 * only as the shape says. About any other value only the schema decides. A number names another
 * shape by its place in the table.
 */
export type Shape =
  | TextShape
  | NumberShape
  | ListShape
  | ObjectShape
  | { readonly is: "boolean" | "any" | "schema only" }
  | { readonly is: "one of"; readonly values: readonly unknown[] }
  | { readonly is: "map"; readonly names: number; readonly values: number }
  | { readonly is: "optional" | "nullable"; readonly inner: number }
  | { readonly is: "default"; readonly inner: number; readonly value: unknown }
  | { readonly is: "either"; readonly options: readonly number[] };

export interface TextShape {
  readonly is: "text";
  /** Minimum length in UTF-16 units. */
  readonly least?: number;
  readonly most?: number;
  /** Sources of regular expressions, with their flags. */
  readonly patterns?: readonly (readonly [source: string, flags: string])[];
  /** The schema writes the text in lower case, or removes spaces at its ends. */
  readonly edits?: readonly TextEdit[];
  /** An answer without this text can't be read. */
  readonly isNamed?: true;
}
export type TextEdit = "lower case" | "trimmed";

export interface NumberShape {
  readonly is: "number";
  readonly isWhole?: true;
  readonly least?: number;
  readonly most?: number;
}

export interface ListShape {
  readonly is: "list";
  readonly items: number;
  readonly least?: number;
  readonly most?: number;
}

export interface ObjectShape {
  readonly is: "object";
  readonly members: Readonly<Record<string, number>>;
  /** Members that the schema does not name. */
  readonly others: "kept" | "dropped" | "refused";
  /** Members that may be sent under another member's name: without them a value is unclear. */
  readonly needed?: readonly string[];
}
