import { expect, test } from "vitest";
import { directoriesOf, makeFirst } from "#server/text/ocr/tiff-directories.ts";

/** A file with a directory of one entry at each place, chained in this order. */
function tiff(
  entries: readonly (readonly [tag: number, type: number, value: number])[],
  isLittle = true,
) {
  const bytes = new Uint8Array(8 + entries.length * 18);
  const view = new DataView(bytes.buffer);
  bytes.set(Buffer.from(isLittle ? "II" : "MM"));
  view.setUint32(4, 8, isLittle);
  entries.forEach(([tag, type, value], index) => {
    const at = 8 + index * 18;
    view.setUint16(at, 1, isLittle);
    view.setUint16(at + 2, tag, isLittle);
    view.setUint16(at + 4, type, isLittle);
    if (type === 3) view.setUint16(at + 10, value, isLittle);
    else view.setUint32(at + 10, value, isLittle);
    view.setUint32(at + 14, index + 1 < entries.length ? at + 18 : 0, isLittle);
  });
  return bytes;
}

test.each([true, false])("directories are read in both byte orders", (isLittle) => {
  const found = directoriesOf(
    tiff(
      [
        [256, 3, 700],
        [256, 4, 70_000],
      ],
      isLittle,
    ),
    9,
  );
  expect(found.map((each) => [each.at, each.valueOf(256), each.valueOf(257)])).toEqual([
    [8, 700, undefined],
    [26, 70_000, undefined],
  ]);
});

test("another directory becomes the first one", () => {
  const bytes = tiff([
    [256, 3, 1],
    [256, 3, 2],
  ]);
  const second = directoriesOf(bytes, 9)[1];
  if (second !== undefined) makeFirst(bytes, second);
  expect(directoriesOf(bytes, 9).map((each) => each.valueOf(256))).toEqual([2]);
});

test("a damaged chain ends", () => {
  const loop = tiff([[256, 3, 1]]);
  new DataView(loop.buffer).setUint32(22, 8, true);
  expect(directoriesOf(loop, 9)).toHaveLength(1);
  expect(directoriesOf(tiff([[256, 3, 1]]).subarray(0, 15), 9)).toEqual([]);
  expect(directoriesOf(new Uint8Array(3), 9)).toEqual([]);
  expect(
    directoriesOf(
      tiff([
        [1, 3, 1],
        [1, 3, 1],
        [1, 3, 1],
      ]),
      2,
    ),
  ).toHaveLength(2);
});
