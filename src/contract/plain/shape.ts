import type { Fallback } from "./fallbacks.ts";
import type { ChangeName, RuleUse } from "./rules.ts";

/**
 * A schema as plain data, by which a client checks what it sends and reads what it receives. A
 * number names another shape by its place in the table.
 */
export type Shape = Marks &
  (
    | TextShape
    | NumberShape
    | ListShape
    | MapShape
    | ObjectShape
    | { readonly is: "boolean" | "any" | "null" }
    | OneOfShape
    | { readonly is: "tuple"; readonly parts: readonly number[] }
    | InnerShape
    | { readonly is: "default"; readonly inner: number; readonly value: unknown }
    | EitherShape
    | { readonly is: "changed"; readonly by: ChangeName }
    /** A value that is read by the first shape, and the result by the next one. */
    | { readonly is: "then"; readonly first: number; readonly next: number }
  );

interface Marks {
  readonly checks?: readonly Check[];
  /** An answer without this value can't be read. */
  readonly isNamed?: true;
  /** Names of a member at other deployments. */
  readonly names?: readonly string[];
  /** The value of a member that is not sent. */
  readonly fallback?: Fallback;
}

/**
 * A bound of a number or of a length in code points or items, a pattern, an edit of a text, or a
 * rule. `ends`: after this fault no other check runs.
 */
export type Check =
  | { readonly least: number }
  | { readonly most: number }
  | { readonly edit: TextEdit }
  | (Partial<Fault> & { readonly pattern: string; readonly flags?: string })
  | (Fault & { readonly rule: RuleUse; readonly path?: readonly string[] });

export interface Fault {
  /** Completes a sentence that starts with the pointer. */
  readonly detail: string;
  readonly ends?: true;
}

export type TextEdit = "lower case" | "trimmed";

export interface TextShape {
  readonly is: "text";
  /** A time of RFC 3339, which other deployments send as a number. */
  readonly isTime?: true;
}

export interface NumberShape {
  readonly is: "number";
  /** A safe integer; `ends`: after another number no other check runs. */
  readonly whole?: "ends" | "goes on";
}

export interface ListShape {
  readonly is: "list";
  readonly items: number;
}

export interface MapShape {
  readonly is: "map";
  readonly keys: number;
  readonly values: number;
}

export interface OneOfShape {
  readonly is: "one of";
  readonly values: readonly (string | number | boolean)[];
}

export interface InnerShape {
  readonly is: "optional" | "nullable";
  readonly inner: number;
}

export interface EitherShape {
  readonly is: "either";
  readonly options: readonly number[];
  /** The member whose literal value selects the option. */
  readonly by?: string;
}

export interface ObjectShape {
  readonly is: "object";
  readonly members: Readonly<Record<string, number>>;
  /** Members that the schema does not name. */
  readonly others: "kept" | "dropped" | "refused";
  /** Members that may be sent under another member's name: without them a value is unclear. */
  readonly needed?: readonly string[];
}

/** A shape by its place, with the shapes that it names. */
export interface Form {
  readonly shapes: readonly Shape[];
  readonly place: number;
}

export function shapeAt(shapes: readonly Shape[], place: number): Shape {
  const shape = shapes[place];
  if (shape === undefined) throw new TypeError(`The contract has no shape ${place}`);
  return shape;
}

/** The form of a member of an object, or of each item of a list. */
export function partOf({ shapes, place }: Form, name: string | number): Form {
  const shape = shapeAt(shapes, place);
  if (shape.is === "optional" || shape.is === "nullable") {
    return partOf({ shapes, place: shape.inner }, name);
  }
  const part =
    shape.is === "object" && typeof name === "string"
      ? shape.members[name]
      : shape.is === "list"
        ? shape.items
        : undefined;
  if (part === undefined) throw new TypeError(`The shape has no part ${name}`);
  return { shapes, place: part };
}
