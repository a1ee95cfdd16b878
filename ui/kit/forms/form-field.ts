/** How a property is typed in: on one line, on several, an item a line, by choosing, as JSON. */
export type FieldKind = "line" | "lines" | "list" | "number" | "choice" | "json";

export interface FieldChoice {
  readonly text: string;
  readonly value: unknown;
}

/** One property in a form. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly kind: FieldKind;
  /** Values of an enum or a boolean, or of a list of such. */
  readonly choices: readonly FieldChoice[];
  readonly isRequired: boolean;
  /** What fits, in a few words. */
  readonly hint: string;
  /** Object Type of the records that it refers to. */
  readonly target: string | undefined;
  readonly fallback: unknown;
}

/** Whether the field has several rows, in which Enter begins a new one. */
export function isLong(field: FormField): boolean {
  return field.kind === "lines" || field.kind === "list" || field.kind === "json";
}
