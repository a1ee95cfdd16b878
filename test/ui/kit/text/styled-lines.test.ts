import { describe, expect, it } from "vitest";
import { fieldLines, jsonLines, type StyledLine } from "#ui/kit/text/styled-lines.ts";

const texts = (lines: readonly StyledLine[]) =>
  lines.map((line) =>
    line
      .map((span) => span.text)
      .join("")
      .trimEnd(),
  );

describe("lines", () => {
  it("put long values below themselves", () => {
    expect(texts(fieldLines([{ name: "notes", value: "one two three four" }], 18))).toEqual([
      "notes  one two",
      "       three four",
    ]);
  });

  it("show JSON harmlessly, and all of it", () => {
    const value = { a: "x\x1b[31m\u202ey", b: "\x9b2Jhidden\u200b", list: [1] };
    const lines = texts(jsonLines(value, 60));
    expect(lines[1]).toBe('  "a": "x\\u001b[31m\\u202ey",');
    expect(lines.join("")).not.toMatch(/[\x1b\x9b\u202e\u200b]/);
    expect(JSON.parse(lines.join(""))).toEqual(value);
  });
});
