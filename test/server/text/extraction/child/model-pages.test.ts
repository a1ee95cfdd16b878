import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import type { PictureReader } from "#server/text/extraction/child/child-options.ts";
import { extractInChild } from "#server/text/extraction/child/extract-in-child.ts";
import { type ModelPicture } from "#server/text/ocr/model-picture.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { scannedPdf } from "../../ocr/scanned-pdf.ts";
import { command } from "./in-child.ts";

const notice = join(import.meta.dirname, "../../ocr/pictures/notice.png");
let folder = "";

beforeAll(async () => {
  folder = await temporaryDirectory("model-pages");
});

/** Reads a file with a model that answers as the test says. */
async function read(name: string, bytes: Uint8Array, answer: (asked: number) => string) {
  const path = join(folder, name);
  await Bun.write(path, bytes);
  const asked: ModelPicture[] = [];
  const pictureReader: PictureReader = {
    name: "seer",
    read: async (picture) => {
      asked.push(picture);
      return answer(asked.length);
    },
  };
  const document = await extractInChild(
    { path, filename: name, mediaType: "" },
    { command, pictureReader },
  );
  return { document, asked };
}

const gray = { width: 300, height: 200, bits: 8, data: deflateSync(Buffer.alloc(300 * 200, 140)) };
const scan = { ...gray, bits: 8 } as const;

test("a model reads the pictures of pages, and is not asked about others", async () => {
  const pdf = scannedPdf([scan, { text: "Typed words." }, {}, scan]);
  const { document, asked } = await read("four.pdf", pdf, (number) => `Seen\u0007  ${number}\r\n`);
  expect(document.pages.map(({ text }) => text)).toEqual([
    "Seen  1",
    "Typed words.",
    "",
    "Seen  2",
  ]);
  expect(document).toMatchObject({
    unreadPages: [],
    warnings: [],
    pictureModel: { name: "seer", pages: [1, 4] },
  });
  expect(asked.map(({ mediaType }) => mediaType)).toEqual(["image/png", "image/png"]);
});

test("a model that fails is left after two failures, and the text is recognised", async () => {
  const bytes = await Bun.file(notice).bytes();
  const { document, asked } = await read("notice.png", bytes, () => {
    throw new Error("it is too slow");
  });
  expect(asked).toHaveLength(1);
  expect(document.pages[0]?.text).toContain("notice of decision");
  expect(document.warnings).toEqual([
    "The model seer did not read page 1 (it is too slow); the text there was recognised instead.",
  ]);
  expect(document.pictureModel).toBeUndefined();
  const many = await read("three.pdf", scannedPdf(Array(3).fill(scan)), () => {
    throw new Error("no");
  });
  expect(many.asked).toHaveLength(2);
  expect(many.document.unreadPages).toEqual([1, 2, 3]);
});

test("an empty answer is checked by the recognition, and an abort ends all", async () => {
  const { document } = await read("empty.png", await Bun.file(notice).bytes(), () => " \n");
  expect(document.pages[0]?.text).toContain("Quayside Bakery");
  const stop = new AbortController();
  const path = join(folder, "stopped.png");
  await Bun.write(path, await Bun.file(notice).bytes());
  const pictureReader: PictureReader = {
    name: "seer",
    read: async () => {
      stop.abort(new Error("cancelled"));
      throw new Error("aborted");
    },
  };
  const reading = extractInChild(
    { path, filename: "stopped.png", mediaType: "" },
    { command, pictureReader, signal: stop.signal },
  );
  await expect(reading).rejects.toThrow("cancelled");
});
