import { expect, test } from "vitest";
import {
  parseChildWork,
  parsePictureRequest,
} from "#server/text/extraction/child/child-request.ts";

test("a line names a document, or none", () => {
  const file = { path: "/a", filename: "a.pdf", mediaType: "application/pdf" };
  expect(parseChildWork(JSON.stringify({ ...file, more: 1 }))).toEqual(file);
  const scan = { ...file, pictures: { pages: [1], asPictures: false } };
  expect(parseChildWork(JSON.stringify({ ...file, pictures: { pages: [1] } }))).toEqual(scan);
  for (const line of ["", "{", "[]", JSON.stringify({ ...file, path: 1 })]) {
    expect(parseChildWork(line)).toBe(undefined);
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
