import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { extractInChild } from "#server/text/extraction/child/extract-in-child.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { accuracy, notice } from "./notice.ts";
import { scannedPdf, type ScannedPage } from "./scanned-pdf.ts";

const command = [
  process.execPath,
  join(import.meta.dirname, "../extraction/child/child-program.ts"),
];
let folder = "";
beforeAll(async () => {
  folder = await temporaryDirectory("scans");
});

async function read(name: string, bytes: Uint8Array, mediaType = "") {
  const path = join(folder, name);
  await Bun.write(path, bytes);
  return extractInChild({ path, filename: name, mediaType }, { command });
}

const joined = (text: string | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();

/** The one-bit picture of the notice, as a page of a PDF may have it. */
async function noticePage(change: Partial<ScannedPage> = {}): Promise<ScannedPage> {
  const bytes = await Bun.file(notice).bytes();
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const chunks: Uint8Array[] = [];
  for (let at = 8; at < bytes.length; at += 12 + view.getUint32(at)) {
    const type = new TextDecoder().decode(bytes.subarray(at + 4, at + 8));
    if (type === "IDAT") chunks.push(bytes.subarray(at + 8, at + 8 + view.getUint32(at)));
  }
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  return { width, height, bits: 1, predictor: true, data: Buffer.concat(chunks), ...change };
}

describe("text in pictures", () => {
  test("of a picture has 95 % of its characters right", async () => {
    const document = await read("notice.png", await Bun.file(notice).bytes());
    expect(document).toMatchObject({ mediaType: "image/png", unreadPages: [], warnings: [] });
    expect(document.pages).toHaveLength(1);
    expect(accuracy(joined(document.pages[0]?.text))).toBeGreaterThanOrEqual(0.95);
    const { text = "", words } = document.pages[0] ?? {};
    const { places = [], width = 0, height = 0 } = words ?? {};
    const found = Array.from({ length: places.length / 6 }, (_, at) => {
      const [start = 0, length = 0, x = 0, y = 0, wide = 0, high = 0] = places.slice(at * 6);
      expect(x + wide <= width && y + high <= height).toBe(true);
      return { word: text.slice(start, start + length), y };
    });
    expect(found.map(({ word }) => word)).toEqual(text.split(/\s+/));
    const yOf = (wanted: string): number => found.find(({ word }) => word === wanted)?.y ?? 0;
    expect(yOf("Deliveries")).toBeGreaterThan(yOf("Northwind") + 50);
  });

  test("of a scanned page is that page's, next to pages with text and blank ones", async () => {
    const scan = await noticePage();
    const pdf = scannedPdf([scan, { text: "Typed: the wall is 2.4 metres high." }, {}]);
    const document = await read("scan.pdf", pdf);
    expect(document.pages.map(({ number }) => number)).toEqual([1, 2, 3]);
    const [first, second, third] = document.pages;
    expect(accuracy(joined(first?.text))).toBeGreaterThanOrEqual(0.95);
    expect(second?.text).toBe("Typed: the wall is 2.4 metres high.");
    expect(third?.text).toBe("");
    expect(document.unreadPages).toEqual([]);
  });

  test("is not missed on a page of white areas and clips, but on one of lines", async () => {
    const [background, clip] = ["q 1 1 1 rg 0 0 612 792 re f Q", "q 0 0 612 792 re W n Q"];
    const lines = "0 0 m 300 300 l S";
    const pages = [background, clip, `${background} ${lines}`, "0 0 1 rg 9 9 99 99 re f"];
    const typed = { text: "A page with words." };
    const document = await read(
      "paths.pdf",
      scannedPdf([typed, ...pages.map((paths) => ({ paths }))]),
    );
    expect(document.unreadPages).toEqual([4, 5]);
  });

  test("is read from masks, and from pages that are turned", async () => {
    const document = await read(
      "turned.pdf",
      scannedPdf([await noticePage({ isMask: true }), await noticePage({ turned: true })]),
    );
    for (const { text } of document.pages) {
      expect(accuracy(joined(text))).toBeGreaterThanOrEqual(0.95);
    }
    expect(document.pages).toHaveLength(2);
  });

  test("that is missing is reported with its pages", async () => {
    const data = deflateSync(Buffer.alloc(200 * 200, 140));
    const photo: ScannedPage = { width: 200, height: 200, bits: 8, data };
    const document = await read("photo.pdf", scannedPdf([{ text: "A page with words." }, photo]));
    expect(document.unreadPages).toEqual([2]);
  });

  test("a picture that is damaged costs its page only", async () => {
    const broken = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.from("nothing")]);
    const document = await read("broken.png", broken);
    expect(document).toMatchObject({ pages: [{ number: 1, text: "" }], unreadPages: [1] });
  });
});
