import type { JsonObject } from "#client/index.ts";
import type { Span } from "../text/styled-lines.ts";

/** The input of a field: a line, several lines, an item per line, a number, a choice, or JSON. */
export type FieldKind = "line" | "lines" | "list" | "number" | "choice" | "json";

export interface FieldChoice {
  readonly text: string;
  readonly value: unknown;
}

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  /** Values of an enum or a boolean, or of the items of a list. */
  readonly choices: readonly FieldChoice[];
  readonly isRequired: boolean;
  readonly hint: string;
  /** The Object Type of the records that it refers to. */
  readonly target: string | undefined;
  readonly fallback: unknown;
  /** Why the user may only read the field; its value stays. */
  readonly locked?: string | undefined;
  /** Its text as its meaning shows it, while the cursor is in another field. */
  readonly shown?: ((text: string, data: JsonObject) => readonly Span[] | undefined) | undefined;
  /** A text from the other fields, which the field has until the user types another one. */
  readonly proposal?: (data: JsonObject) => string;
}

/** A field of a form that a screen makes by itself: a line unless `part` says otherwise. */
export function formField(
  name: string,
  label: string,
  part: Partial<Omit<FormField, "name" | "label">> = {},
): FormField {
  return {
    name,
    label,
    kind: "line",
    choices: [],
    isRequired: false,
    hint: "",
    target: undefined,
    fallback: undefined,
    ...part,
  };
}

/** Choices whose texts are their values. */
export function textChoices(texts: readonly string[]): FieldChoice[] {
  return texts.map((text) => ({ text, value: text }));
}

/** Whether the field has several rows, in which Enter begins a new one. */
export function isLong(field: FormField): boolean {
  return field.kind === "lines" || field.kind === "list" || field.kind === "json";
}
