/** JSON Pointers (RFC 6901). */

/** A name as one step of a pointer. */
export function pointerStep(name: string | number): string {
  return String(name).replaceAll("~", "~0").replaceAll("/", "~1");
}

/** A pointer as URI fragment (`#/data/amount`) from the names on its way. */
export function pointer(...names: readonly (string | number)[]): string {
  return `#${names.map((name) => `/${pointerStep(name)}`).join("")}`;
}

/** The names on the way of `#/data/amount` or `/data/amount`; none for the whole document. */
export function pointerNames(path: string): string[] {
  const [, ...steps] = path.split("/");
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
