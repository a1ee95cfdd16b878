/**
 * True for a text that can be one segment of a path once it is encoded. The parsing of URLs removes
 * dot segments, also percent-encoded ones: a request would reach another route.
 */
export function isPathSegment(text: string): boolean {
  return text !== "" && text !== "." && text !== "..";
}
