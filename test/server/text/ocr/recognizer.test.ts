import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { extractInChild } from "#server/text/extraction/child/extract-in-child.ts";
import { extractText } from "#server/text/extraction/extract-text.ts";
import type { PageWords } from "#server/text/tables/word-places.ts";
import type { WordsText } from "#server/text/tables/words-text.ts";
import { sized } from "#test/support/size.ts";
import { extractionProgram } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { inkPicture } from "#server/text/ocr/ink.ts";
import { modelPicture } from "#server/text/ocr/model-picture.ts";
import { makeDocx, paragraph } from "../extraction/formats/build-files.ts";
import { accuracy, notice, noticePage } from "./notice.ts";
import { scannedPdf, type ScannedPage } from "./scanned-pdf.ts";
import { tiffFile, type GrayPicture } from "./tiff-file.ts";

const command = await extractionProgram({ hasPictures: true });

let folder = "";
beforeAll(async () => {
  folder = await temporaryDirectory("scans");
});

async function read(name: string, bytes: Uint8Array, program = command) {
  const path = join(folder, name);
  await Bun.write(path, bytes);
  return extractInChild({ path, filename: name, mediaType: "" }, { command: program });
}

/** Writes the largest resident memory of the command that follows, in bytes, into a file. */
const measure = `const [output, ...command] = process.argv.slice(1);
  const { resourceUsage, exitCode } = Bun.spawnSync(command, { stdio: ["ignore", "inherit", "ignore"] });
  require("node:fs").appendFileSync(output, resourceUsage.maxRSS + "\\n");
  process.exit(exitCode);`;

const joined = (text: string | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();

const blank: GrayPicture = { width: 200, height: 200, dots: new Uint8Array(40_000).fill(255) };

let drawn: Promise<GrayPicture> | undefined;

/** The notice as the PDF reader draws it for the recognition. */
function grayNotice(): Promise<GrayPicture> {
  drawn ??= drawNotice();
  return drawn;
}

/** Two lines of the notice on a page of its size; the recognition of all lines takes longer. */
async function grayLines(): Promise<GrayPicture> {
  const page = await grayNotice();
  const [first, end] = [180 * page.width, lineEnd * page.width];
  const dots = page.dots.map((gray, at) => (at >= first && at < end ? gray : 255));
  return { ...page, dots };
}

const textOfLines =
  "The committee met on 12 November 2026 and granted permission " +
  "to Quayside Bakery Limited for a restaurant at 18 Quay Street,";

/** One line of the notice, whose recognition takes a tenth of the time of all. */
async function grayLine(): Promise<GrayPicture> {
  const { width, dots } = await grayNotice();
  return {
    width,
    height: lineEnd - lineStart,
    dots: dots.slice(lineStart * width, lineEnd * width),
  };
}

/** The rows of the line, and a word in it. */
const [lineStart, lineEnd] = [242, 308];
const wordOfLine = "Quayside";
const pagesOfMany = sized(3, 5);

async function drawNotice(): Promise<GrayPicture> {
  const path = join(folder, "gray.pdf");
  await Bun.write(path, scannedPdf([await noticePage()]));
  const pictures: Uint8Array[] = [];
  await extractText(path, {
    filename: "gray.pdf",
    onPage: async (_page, picture) => {
      const drawn = await picture?.();
      if (drawn?.kind === "picture") pictures.push(drawn.bytes);
    },
  });
  const bytes = Buffer.from(pictures[0] ?? []);
  const [head = "", width, height] = /^P5\n(\d+) (\d+)\n255\n/.exec(bytes.toString("latin1")) ?? [];
  return { width: Number(width), height: Number(height), dots: bytes.subarray(head.length) };
}

/** The picture after a quarter clockwise. */
function turned({ width, height, dots }: GrayPicture): GrayPicture {
  const moved = new Uint8Array(dots.length);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1)
      moved[x * height + height - 1 - y] = dots[y * width + x] ?? 0;
  }
  return { width: height, height: width, dots: moved };
}

/** The picture in the middle of a larger one, with lines at this slope. */
function askew({ width, height, dots }: GrayPicture, degrees: number): GrayPicture {
  const slope = Math.tan((degrees * Math.PI) / 180);
  const margin = Math.ceil((width / 2) * slope);
  const moved = new Uint8Array(width * (height + 2 * margin)).fill(255);
  for (let x = 0; x < width; x += 1) {
    const shift = margin + Math.round((x - width / 2) * slope);
    for (let y = 0; y < height; y += 1) moved[(y + shift) * width + x] = dots[y * width + x] ?? 255;
  }
  return { width, height: height + 2 * margin, dots: moved };
}

/** The numbers of the stored places of words. */
function placesOf(words: WordsText | undefined): PageWords {
  return JSON.parse(words?.json ?? "{}");
}

describe("text in pictures", () => {
  test("of a picture has 95 % of its characters right", async () => {
    const document = await read("notice.png", await Bun.file(notice).bytes());
    expect(document).toMatchObject({ mediaType: "image/png", unreadPages: [], warnings: [] });
    expect(document.pages).toHaveLength(1);
    expect(accuracy(joined(document.pages[0]?.text))).toBeGreaterThanOrEqual(0.95);
    const { text = "", words } = document.pages[0] ?? {};
    const { places, width, height } = placesOf(words);
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

  test("of a photograph is read as the camera was held", async () => {
    const name = "notice-turned.jpg";
    const turned = await Bun.file(join(import.meta.dirname, "pictures", name)).bytes();
    const document = await read(name, turned);
    expect(accuracy(joined(document.pages[0]?.text))).toBeGreaterThanOrEqual(0.95);
  });

  test.each([
    ["on its side", turned],
    ["upside down", (page: GrayPicture) => turned(turned(page))],
    ["askew by 4 degrees", (page: GrayPicture) => askew(page, 4)],
  ])("of a page %s is read, with places on the page as it is", async (kind, change) => {
    const page = change(await grayLines());
    const document = await read("turned.tif", tiffFile([page]));
    const [{ text, words } = { text: "" }] = document.pages;
    expect(accuracy(joined(text), textOfLines)).toBeGreaterThanOrEqual(0.95);
    const { width, height } = page;
    const found = placesOf(words);
    expect(found).toMatchObject({ width, height });
    // The first word is at the left side of the upright page, near its top.
    const [, , x = 0, y = 0] = found.places;
    expect([x > width / 2, y > height / 2]).toEqual([
      kind !== "askew by 4 degrees",
      kind === "upside down",
    ]);
  });

  test("of a list is read upside down, although its columns are clearer than its lines", async () => {
    const name = "fees-upside-down.png";
    const fees = await Bun.file(join(import.meta.dirname, "pictures", name)).bytes();
    const [{ text } = { text: "" }] = (await read(name, fees)).pages;
    // "11" may be read as two letters.
    expect(text.match(/Fee \d\d/g)?.length).toBeGreaterThanOrEqual(13);
    expect(text).toMatch(/for Harbour/);
  });

  test("of a table with ruling lines is a table", async () => {
    const register = join(import.meta.dirname, "pictures/register.png");
    const document = await read("register.png", await Bun.file(register).bytes());
    const { text = "", tables = [] } = document.pages[0] ?? {};
    const cells = tables.map(({ rows }) =>
      rows.map((row) => row.map(([start, end]) => text.slice(start, end))),
    );
    expect(cells).toEqual([
      [
        ["Reference", "Applicant", "Address", "Fee"],
        ["PA-2026-0142", "Amara Okafor", "18 Quay Street", "462.00"],
        ["PA-2026-0187", "Jonas Weber", "7 Harbour Road", "258.50"],
        ["PA-2026-0203", "Priya Natarajan", "44 Mill Lane", "96.00"],
        ["PA-2026-0215", "Tom Baxter", "2 Castle Hill", "731.25"],
      ],
    ]);
    expect(tables[0]?.header).toBe(1);
  });

  test("of pictures in a document is read, and one without text is no fault", async () => {
    const photo = inkPicture({ width: 300, height: 200, dots: new Uint8Array(60_000) });
    const line = await grayLine();
    const ink = inkPicture({ ...line, dots: line.dots.map((gray) => Number(gray < 128)) });
    const media = {
      "word/media/scan.png": Buffer.from(modelPicture(ink)?.bytes ?? []),
      "word/media/photo.png": Buffer.from(modelPicture(photo)?.bytes ?? []),
    };
    const document = await read("report.docx", makeDocx(paragraph("Report."), media));
    const [text, scan, empty] = document.pages.map((page) => joined(page.text));
    expect(text).toBe("Report.");
    expect(scan).toContain(wordOfLine);
    expect(empty).toBe("");
    expect(document).toMatchObject({ unreadPages: [], warnings: [] });
  });

  test("of each picture of a TIFF file is a page, except of a small copy", async () => {
    const page = await grayLine();
    const file = tiffFile([page, { ...page, isReduced: true }, blank, page]);
    const document = await read("scan.tif", file);
    expect(document.mediaType).toBe("image/tiff");
    expect(document.pages.map(({ number }) => number)).toEqual([1, 2, 3]);
    const [first, second, third] = document.pages;
    expect(second?.text).toBe("");
    expect([first, third].map((each) => each?.text.includes(wordOfLine))).toEqual([true, true]);
    expect(document.unreadPages).toEqual([2]);
  });

  test("of a TIFF file whose pictures form a circle is read once", async () => {
    const file = tiffFile([blank, blank]);
    const view = new DataView(file.buffer);
    view.setUint32(file.length - 4, view.getUint32(4, true), true);
    expect((await read("circle.tif", file)).pages).toHaveLength(2);
  });

  test("of many large pages takes the memory of one", async () => {
    const { width, dots } = await grayNotice();
    // A page's memory depends on its size, its time on its text.
    // A page of A4 at 300 dpi.
    const sheet = { width: 2480, height: 3508, bits: 8 as const };
    const rows = new Uint8Array(sheet.width * sheet.height).fill(255);
    for (let y = lineStart; y < lineEnd; y += 1) {
      rows.set(dots.subarray(y * width, (y + 1) * width), (y + 300) * sheet.width + 300);
    }
    const page = { ...sheet, data: deflateSync(rows) };
    const pages = Array.from({ length: pagesOfMany }, () => page);
    const measured = join(folder, "memory.txt");
    const measuring = [process.execPath, "-e", measure, measured, ...command];
    const document = await read("sheets.pdf", scannedPdf(pages), measuring);
    expect(document.unreadPages).toEqual([]);
    expect(document.pages.filter(({ text }) => text.includes(wordOfLine))).toHaveLength(
      pagesOfMany,
    );
    const used = (await Bun.file(measured).text()).trim().split("\n").map(Number);
    // A drawn page leaves 60 MiB until the collector runs.
    expect(Math.max(...used) / 1024 ** 2).toBeLessThan(540);
  });

  test("that is missing is reported with its pages", async () => {
    const data = deflateSync(Buffer.alloc(200 * 200, 140));
    const photo: ScannedPage = { width: 200, height: 200, bits: 8, data };
    const side = 6_400;
    const tooLarge = {
      width: side,
      height: side,
      bits: 8,
      data: deflateSync(Buffer.alloc(side ** 2)),
    };
    const pages = [{ text: "A page with words." }, photo, {}, tooLarge as ScannedPage];
    const document = await read("photo.pdf", scannedPdf(pages));
    expect(document.unreadPages).toEqual([2, 4]);
  });

  test("a picture that is damaged costs its page only", async () => {
    const broken = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.from("nothing")]);
    const document = await read("broken.png", broken);
    expect(document).toMatchObject({ pages: [{ number: 1, text: "" }], unreadPages: [1] });
  });
});
