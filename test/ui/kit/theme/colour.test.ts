import { expect, it } from "vitest";
import {
  contrastOf,
  hexOf,
  mixed,
  nearest256,
  rgbOf,
  rgbOf256,
  textOn,
  white,
} from "#ui/kit/theme/colour.ts";

it("reads and writes a colour", () => {
  expect(rgbOf("#7cC4ff")).toEqual([124, 196, 255]);
  expect(["red", "#fff", "#1234567", "7cc4ff"].map(rgbOf)).toEqual(Array(4).fill(undefined));
  expect(hexOf(mixed([0, 0, 0], [255, 255, 255], 0.5))).toBe("#808080");
});

it("measures the contrast of two colours", () => {
  expect(contrastOf([0, 0, 0], white)).toBeCloseTo(21);
  expect(contrastOf([119, 119, 119], white)).toBeCloseTo(4.48, 2);
});

it("has a text for each ground", () => {
  for (let gray = 0; gray < 256; gray += 1) {
    expect(contrastOf(textOn([gray, gray, gray]), [gray, gray, gray])).toBeGreaterThanOrEqual(4.5);
  }
});

it("finds each of the 240 colours in itself", () => {
  for (let index = 16; index < 256; index += 1) {
    expect(rgbOf256(nearest256(rgbOf256(index)))).toEqual(rgbOf256(index));
  }
});
