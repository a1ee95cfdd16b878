const isWhole = process.env["SVC_TEST_SIZE"] === "whole";

/**
 * The size of a drill: the usual one finds what the whole one finds, but for rare coincidences.
 * `SVC_TEST_SIZE=whole` asks for the whole one.
 */
export function sized<Size>(usual: Size, whole: Size): Size {
  return isWhole ? whole : usual;
}
