import { describe, expect, test } from "vitest";
import { drawingOf } from "../../../scripts/screens/drawing.ts";
import { cellColour, palettes } from "../../../scripts/screens/palettes.ts";
import { placedPicture } from "../../../scripts/screens/session.ts";
import { shapeOf } from "../../../scripts/screens/shapes.ts";
import type { TerminalCell } from "../../support/tty.ts";

const plain: TerminalCell = {
  text: "a",
  width: 1,
  foreground: -1,
  background: -1,
  bold: false,
  dim: false,
  italic: false,
  underline: false,
  inverse: false,
};
const [dark] = palettes;
if (dark === undefined) throw new Error("there is no palette");

describe("the drawing of a screen", () => {
  test("has each text in its cell, in the colours of the terminal", () => {
    const cells = [
      { ...plain, text: "<", foreground: 0x12_34_56, bold: true },
      { ...plain, text: "b", inverse: true },
    ];
    const drawing = drawingOf([cells], dark);
    expect(drawing).toContain('<text x="0" y="14" fill="#123456" font-weight="bold">&lt;</text>');
    expect(drawing).toContain(
      `<rect x="9" y="0" width="9" height="18" fill="${dark.foreground}"/>`,
    );
    expect(drawing).toContain(`<text x="9" y="14" fill="${dark.background}">b</text>`);
  });

  test("has a picture in place of its placeholders", () => {
    const held = { ...plain, text: "\u{10eeee}\u0305\u030d" };
    const output = `\x1b_Ga=T,U=1,m=1;QUJD\x1b\\\x1b_Gq=2,m=0;REVG\x1b\\\x1b_Gm=0;eA==\x1b\\`;
    const png = placedPicture(output) ?? new Uint8Array();
    expect(Buffer.from(png).toString()).toBe("ABCDEF");
    const drawing = drawingOf([[plain, held, held], [plain, held, held], [plain]], dark, png);
    expect(drawing).toContain('<image x="9" y="0" width="18" height="36"');
    expect(drawing).toContain("base64,QUJDREVG");
    expect(drawing).not.toContain(held.text);
    expect(drawingOf([[plain]], dark, png)).not.toContain("<image");
    expect(placedPicture("no picture")).toBeUndefined();
  });

  test("has lines and blocks as shapes that join", () => {
    expect(shapeOf("│", { width: 9, height: 18 })?.path).toBe("M4 0h1v10h-1zM4 9h1v9h-1z");
    expect(shapeOf("▄", { width: 9, height: 18 })?.path).toBe("M0 9h9v9h-9z");
    expect(shapeOf("▌", { width: 8, height: 18 })?.path).toBe("M0 0h4v18h-4z");
    expect(shapeOf("⠁", { width: 9, height: 18 })?.path).toBe("M1 1h2v2h-2z");
    expect(shapeOf("a", { width: 9, height: 18 })).toBeUndefined();
  });

  test("knows the 256 colours and all others", () => {
    expect([1, 16, 21, 231, 232, 255].map((colour) => cellColour(colour, dark))).toEqual([
      dark.colours[1],
      "#000000",
      "#0000ff",
      "#ffffff",
      "#080808",
      "#eeeeee",
    ]);
    expect(cellColour(0x01_02_03, dark)).toBe("#010203");
  });
});
