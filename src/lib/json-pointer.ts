/** JSON Pointers (RFC 6901). */

/** A name as one step of a pointer. */
export function pointerStep(name: string | number): string {
  return String(name).replaceAll("~", "~0").replaceAll("/", "~1");
}

/**
 * A pointer as URI fragment (`#/data/amount`) from the names on its way; what no fragment may hold
 * is percent-encoded (RFC 6901, 6).
 */
export function pointer(...names: readonly (string | number)[]): string {
  return `#${names.map((name) => `/${inFragment(pointerStep(name))}`).join("")}`;
}

/** The names on the way of `#/data/amount` or `/data/amount`; none for the whole document. */
export function pointerNames(path: string): string[] {
  const [, ...steps] = pointerWords(path).split("/");
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A pointer for a reader: a fragment's names as they are written, not percent-encoded. */
export function pointerWords(path: string): string {
  if (!path.startsWith("#") || !path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    // Whoever made it does not encode names: the sign is one of theirs.
    return path;
  }
}

const plainStep = /^[\w$.~-]*$/;

function inFragment(step: string): string {
  if (plainStep.test(step)) return step;
  // Half a surrogate pair is no character: no encoding has it.
  return encodeURI(step.toWellFormed()).replaceAll("#", "%23");
}
