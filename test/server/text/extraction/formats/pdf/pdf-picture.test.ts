import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { extractText } from "#server/text/extraction/extract-text.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { notice, noticePage } from "../../../ocr/notice.ts";
import { scannedPdf, type ScannedPage } from "../../../ocr/scanned-pdf.ts";

const [width, height] = [1700, 640];
let folder = "";
beforeAll(async () => {
  folder = await temporaryDirectory("pictures");
});

/** The picture that the recognition gets of a page, or why there is none. */
async function drawn(page: ScannedPage): Promise<Buffer | string> {
  const path = join(folder, `${crypto.randomUUID()}.pdf`);
  await Bun.write(path, scannedPdf([page]));
  const found: (Buffer | string)[] = [];
  await extractText(path, {
    filename: "scan.pdf",
    onPage: async (_page, picture) => {
      const shown = await picture?.();
      found.push(shown?.kind === "picture" ? Buffer.from(shown.bytes) : (shown?.kind ?? "none"));
    },
  });
  return found[0] ?? "none";
}

/** The notice in another coding; programs of libtiff and OpenJPEG made it from the picture. */
async function coded(ending: string): Promise<Uint8Array> {
  return await Bun.file(notice.replace(/\.png$/, `.${ending}`)).bytes();
}

/** A JBIG2 page of one region (ITU-T T.88, 7.4.6), with its rows as in a fax of group 4. */
function jbig2(rows: Uint8Array): Uint8Array {
  const numbers = (...values: readonly number[]): Buffer => {
    const bytes = Buffer.alloc(values.length * 4);
    for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
    return bytes;
  };
  const segment = (number: number, type: number, data: Buffer): Buffer =>
    Buffer.concat([numbers(number), Buffer.from([type, 0, 1]), numbers(data.length), data]);
  const page = Buffer.concat([numbers(width, height, 0, 0), Buffer.from([0, 0, 0])]);
  const region = Buffer.concat([numbers(width, height, 0, 0), Buffer.from([0, 1]), rows]);
  return Buffer.concat([segment(0, 48, page), segment(1, 38, region)]);
}

const fax = (k: number): string =>
  `/Filter /CCITTFaxDecode /DecodeParms << /K ${k} /Columns ${width} /Rows ${height} >>`;
/** Rows of a fax and of JBIG2 have no filter of PNG. */
const plain = { width, height, predictor: false };

describe("the picture of a scanned page", () => {
  test.each([false, true])(
    "is the same for a fax, JBIG2 and rows of pixels (stencil: %s)",
    async (isMask) => {
      const pixels = await drawn(await noticePage({ isMask }));
      expect(pixels).toBeInstanceOf(Buffer);
      const group4 = await coded("g4");
      const pages: Record<string, Partial<ScannedPage>> = {
        "group 4": { coding: fax(-1), data: group4 },
        "group 3": { coding: fax(0), data: await coded("g3") },
        JBIG2: { coding: "/Filter /JBIG2Decode", data: jbig2(group4) },
      };
      for (const [name, page] of Object.entries(pages)) {
        const picture = await drawn(await noticePage({ ...plain, isMask, ...page }));
        expect(pixels.toString("base64") === picture.toString("base64"), name).toBe(true);
      }
    },
  );

  test("is that of JPEG 2000, which is made smaller and loses details", async () => {
    const small = { width: 510, height: 192, bits: 8, predictor: false } as const;
    const page = { ...small, coding: "/Filter /JPXDecode", data: await coded("jp2") };
    const picture = await drawn(await noticePage(page));
    expect(picture).toBeInstanceOf(Buffer);
    const dark = Buffer.from(picture).filter((dot) => dot < 128).length;
    // The letters cover a tenth of the notice.
    expect(dark / picture.length).toBeGreaterThan(0.04);
    expect(dark / picture.length).toBeLessThan(0.3);
  });

  test.each([
    ["a fax", fax(-1), false],
    ["a stencil in JBIG2", "/Filter /JBIG2Decode", true],
    ["JBIG2", "/Filter /JBIG2Decode", false],
    ["JPEG 2000", "/Filter /JPXDecode", false],
  ])("is never blank for damaged bytes of %s", async (_name, coding, isMask) => {
    const data = new TextEncoder().encode("not a picture");
    const picture = await drawn(await noticePage({ ...plain, coding, data, isMask }));
    expect(picture).not.toBe("blank");
  });
});
