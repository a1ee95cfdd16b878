import { expect, test } from "vitest";
import {
  parseChildFile,
  parsePictureRequest,
} from "#server/text/extraction/child/child-request.ts";

test("a line names a document, or none", () => {
  const file = { path: "/a", filename: "a.pdf", mediaType: "application/pdf" };
  expect(parseChildFile(JSON.stringify({ ...file, more: 1 }))).toEqual(file);
  for (const line of ["", "{", "[]", JSON.stringify({ ...file, path: 1 })]) {
    expect(parseChildFile(line)).toBe(undefined);
  }
});

test.each([
  [undefined, undefined],
  ["{}", undefined],
  ['{"pages":[1,"2",3]}', { pages: [1, 3], asPictures: false }],
  [
    '{"pages":[],"asPictures":true,"dataFolder":"/x"}',
    { pages: [], asPictures: true, dataFolder: "/x" },
  ],
])("the request %s for pictures", (text, request) => {
  expect(parsePictureRequest(text)).toEqual(request);
});
