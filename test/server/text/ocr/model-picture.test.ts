import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { modelPicture } from "#server/text/ocr/model-picture.ts";

test("gray pictures become a PNG of bounded size with the same dots", () => {
  const header = Buffer.from("P5\n4000 20\n255\n");
  const dots = Buffer.from(
    Array.from({ length: 4000 * 20 }, (_, at) => (at % 4000 < 2000 ? 0 : 255)),
  );
  const picture = modelPicture(Buffer.concat([header, dots]));
  const bytes = Buffer.from(picture?.bytes ?? []);
  expect(picture?.mediaType).toBe("image/png");
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1333, 6]);
  const rows = inflateSync(bytes.subarray(41, 41 + bytes.readUInt32BE(33)));
  expect([rows[0], rows[1], rows[1332]]).toEqual([0, 0, 255]);
  expect(modelPicture(Buffer.from("II*\u0000tiff"))).toBeUndefined();
  expect(
    modelPicture(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(3_000_000)])),
  ).toBe(undefined);
});
