import { expect, test } from "vitest";
import { decodeJohab, decodeShiftedKorean } from "#server/text/extraction/formats/korean.ts";

test("Johab: syllables, single letters, Chinese characters and ASCII", () => {
  const bytes = Buffer.from("88e5c28220d0e1886120f7d3f1ae2088418461208874", "hex");
  expect(decodeJohab(bytes)).toBe("건축 허가 漢字 ㄱㅏ 값");
  expect(decodeJohab(Buffer.from("41d0", "hex"))).toBe("A\ufffd");
});

test("ISO-2022-KR: shifted characters, and lines that begin unshifted", () => {
  const bytes = Buffer.from("\x1b$)CA \x0e0GC`\nok\x0f", "latin1");
  expect(decodeShiftedKorean(bytes)).toBe("A 건축\nok");
});
