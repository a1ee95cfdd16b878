import { describe, expect, it } from "vitest";
import { qrCode, qrLines } from "#ui/sign-in/qr-code.ts";

/** A code that a reader of another maker has read. */
const device = `
1111111000100011001111111
1000001001000111001000001
1011101010010000001011101
1011101001001011001011101
1011101001001001001011101
1000001000111011101000001
1111111010101010101111111
0000000010010100100000000
1110111110001101111000100
0101100101011000011000001
1010011000111010100100111
0001010011101110100100010
0101001000110101111101011
0111010000110100111001001
1011011101000110011100111
0100100000010111001010010
1000101010101101111111000
0000000010111101100011011
1111111011011001101011011
1000001011101110100011011
1011101011010010111111011
1011101000110001100111100
1011101010100101000010001
1000001011110001101011010
`.trim();

describe("a QR code", () => {
  it("has the modules that readers expect", () => {
    const rows = qrCode("https://sign.in/device")?.map((row) =>
      row.map((isDark) => (isDark ? "1" : "0")).join(""),
    );
    expect(rows?.slice(0, device.split("\n").length).join("\n")).toBe(device);
    expect(rows).toHaveLength(25);
  });

  it.each([
    [1, 21],
    [17, 21],
    [18, 25],
    [32, 25],
    [33, 29],
    [53, 29],
    [54, 33],
    [78, 33],
    [79, 37],
    [106, 37],
    [107, 41],
    [134, 41],
    [135, undefined],
  ])("of %i bytes has %s modules on each side", (length, size) => {
    expect(qrCode("x".repeat(length))?.length).toBe(size);
  });

  it("is drawn in half blocks with a margin, or not at all", () => {
    const lines = qrLines("https://sign.in/device");
    expect(lines).toHaveLength(15);
    expect(new Set(lines.map(({ length }) => length))).toEqual(new Set([29]));
    expect(lines[0]?.trim()).toBe("");
    expect(lines[1]).toMatch(/^ {2}█▀▀▀▀▀█ /);
    expect(qrLines("x".repeat(135))).toEqual([]);
  });
});
