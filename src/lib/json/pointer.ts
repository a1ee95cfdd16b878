/** JSON Pointers as texts and segments (RFC 6901). */

/** A name as one step of a pointer. */
export function pointerStep(name: string | number): string {
  return String(name).replaceAll("~", "~0").replaceAll("/", "~1");
}

/** A path of names as a pointer in a URI fragment, e.g. `#/data/amount` (RFC 6901, 6). */
export function pointer(...names: readonly (string | number)[]): string {
  return `#${names.map((name) => `/${inFragment(pointerStep(name))}`).join("")}`;
}

/** The names in `#/data/amount` or `/data/amount`; none for the whole document. */
export function pointerNames(path: string): string[] {
  const [, ...steps] = pointerWords(path).split("/");
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A pointer for people: without percent-encoding. */
export function pointerWords(path: string): string {
  if (!path.startsWith("#") || !path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    // The sender did not encode names, so the percent sign is part of one.
    return path;
  }
}

const plainStep = /^[\w$.~-]*$/;

function inFragment(step: string): string {
  if (plainStep.test(step)) return step;
  // Half a surrogate pair has no encoding.
  return encodeURI(step.toWellFormed()).replaceAll("#", "%23");
}
