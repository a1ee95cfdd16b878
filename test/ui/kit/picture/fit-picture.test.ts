import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { grayPng } from "#server/text/ocr/model-picture.ts";
import { bytesAtMost, dotsIn, fitPicture } from "#ui/kit/picture/fit-picture.ts";
import { indexedPicture } from "#ui/kit/picture/indexed-png.ts";
import { kittyPicture, mostCells, placeholderLines, throughTmux } from "#ui/kit/picture/kitty.ts";
import { sixelPicture } from "#ui/kit/picture/sixel.ts";
import { kindIn, type PictureMode } from "#ui/kit/picture/terminal-pictures.ts";
import { readSixel } from "./sixel-reader.ts";

const cell = { width: 10, height: 20 };
const kitty: PictureMode = { kind: "kitty", cell };
const sixel: PictureMode = { kind: "sixel", cell };

/** Two columns of squares, the left ones dark. */
const page = grayPng(
  Uint8Array.from({ length: 200 * 100 }, (_, at) => (at % 200 < 100 ? 0 : 255)),
  { width: 200, height: 100, step: 1 },
);

describe("a picture for a part of the screen", () => {
  test("keeps its form and is as large as the cells allow", async () => {
    expect(dotsIn({ width: 200, height: 100 }, { width: 40, height: 40 }, kitty)).toEqual({
      width: 400,
      height: 200,
    });
    const fitted = await fitPicture(page, { width: 40, height: 4 }, kitty);
    expect(fitted).toMatchObject({ columns: 16, rows: 4 });
    const png = "png" in fitted.content ? fitted.content.png : new Uint8Array();
    expect(await new Bun.Image(png).metadata()).toMatchObject({ width: 160, height: 80 });
  });

  test("in sixels has the dots of the picture", async () => {
    const fitted = await fitPicture(page, { width: 12, height: 9 }, sixel);
    const read = readSixel("sixel" in fitted.content ? fitted.content.sixel : "");
    expect(read).toMatchObject({ width: 120, height: 60 });
    expect([read?.colourAt(10, 3), read?.colourAt(110, 59)]).toEqual(["0;0;0", "100;100;100"]);
  });

  test("of many colours has a million bytes at most", async () => {
    const dots = crypto.getRandomValues(new Uint8Array(60_000));
    const noise = grayPng(dots, { width: 300, height: 200, step: 1 });
    const { content } = await fitPicture(noise, { width: 110, height: 50 }, sixel);
    const read = readSixel("sixel" in content ? content.sixel : "");
    expect("sixel" in content ? content.sixel.length : 0).toBeLessThanOrEqual(bytesAtMost);
    expect(read?.width).toBeGreaterThan(300);
  });
});

describe("a PNG with a palette", () => {
  const part = (name: string, data: Uint8Array): Buffer => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(data.length);
    return Buffer.concat([head, Buffer.from(name), data, Buffer.alloc(4)]);
  };
  const png = (depth: number, rows: readonly number[], kind = 3): Buffer =>
    Buffer.concat([
      Buffer.alloc(8),
      part("IHDR", Buffer.from([0, 0, 0, 3, 0, 0, 0, 2, depth, kind, 0, 0, 0])),
      part("PLTE", Buffer.from([0, 0, 0, 255, 0, 0])),
      part("IDAT", deflateSync(Buffer.from(rows))),
    ]);

  test.each([
    ["without a filter", 8, [0, 1, 0, 1, 0, 0, 1, 1]],
    ["with the difference to the left", 8, [1, 1, 255, 1, 1, 0, 1, 0]],
    ["with the difference to the row above", 8, [0, 1, 0, 1, 2, 255, 1, 0]],
    ["with the mean of both", 8, [0, 1, 0, 1, 3, 0, 1, 0]],
    ["with the nearest of three", 8, [0, 1, 0, 1, 4, 255, 1, 0]],
    ["with eight dots in a byte", 1, [0, 0b1010_0000, 0, 0b0110_0000]],
  ])("is read %s", (_name, depth, rows) => {
    expect([...indexedPicture(png(depth, rows)).dots]).toEqual([1, 0, 1, 0, 1, 1]);
  });

  test("is written in sixels with runs, and read back", () => {
    const dots = new Uint8Array(50 * 8).fill(1, 100, 200);
    const text = sixelPicture({
      width: 50,
      height: 8,
      dots,
      palette: Uint8Array.from([0, 0, 0, 255, 0, 0]),
    });
    expect(text).toContain("!50");
    const read = readSixel(text);
    expect([read?.colourAt(49, 1), read?.colourAt(0, 2), read?.colourAt(0, 7)]).toEqual([
      "0;0;0",
      "100;0;0",
      "0;0;0",
    ]);
  });

  test("is the only kind that is read", () => {
    expect(() => indexedPicture(png(8, [0], 0))).toThrow("this picture has no palette");
  });
});

describe("kitty's protocol", () => {
  test("numbers the cells of a picture, each one column wide", () => {
    const lines = placeholderLines(3, 2);
    expect(lines).toHaveLength(2);
    expect(Array.from(lines[1] ?? "", (sign) => sign.codePointAt(0)?.toString(16))).toEqual([
      "10eeee",
      "30d",
      "305",
      "10eeee",
      "30d",
      "30d",
      "10eeee",
      "30d",
      "30e",
    ]);
    const widths = placeholderLines(mostCells, 1).map((line) => Bun.stringWidth(line));
    expect(widths).toEqual([mostCells]);
    expect(mostCells).toBeGreaterThan(120);
  });

  test("sends a picture in pieces, also through tmux", () => {
    const pieces = kittyPicture(new Uint8Array(5_000), { id: 20, columns: 3, rows: 2 });
    expect(pieces.map((piece) => /^\x1b_G[^;]*/.exec(piece)?.[0])).toEqual([
      "\x1b_Ga=T,U=1,f=100,t=d,i=20,c=3,r=2,q=2,m=1",
      "\x1b_Gq=2,m=0",
    ]);
    expect(throughTmux("\x1b_Ga\x1b\\")).toBe("\x1bPtmux;\x1b\x1b_Ga\x1b\x1b\\\x1b\\");
  });

  test.each([
    ["\x1b_Gi=31;OK\x1b\\\x1bP>|kitty(0.40.1)\x1b\\\x1b[?62;c", "kitty"],
    ["\x1b_Gi=31;OK\x1b\\\x1bP>|WezTerm 20240203\x1b\\\x1b[?65;4;6c", "sixel"],
    ["\x1bP>|XTerm(390)\x1b\\\x1b[?64;1;4;22c", "sixel"],
    ["\x1b[?64;14;22c", undefined],
    ["", undefined],
  ])("is used where the terminal draws placeholders: %j", (answer, kind) => {
    expect(kindIn(answer)).toBe(kind);
  });
});
