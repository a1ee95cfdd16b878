import { expect, it } from "vitest";
import { comparedLines } from "#ui/records/detail/compared-versions.tsx";
import { differencesBetween, differenceWords } from "#ui/records/detail/record-history.ts";

const before = { title: "Ash", size: 3, note: `${"same ".repeat(2_000)}old end`, gone: "x" };
const after = { title: "Ash", size: 4, note: `${"same ".repeat(2_000)}new end`, added: "y" };
const differences = differencesBetween(before, after);

function texts(width: number): string[] {
  const lines = comparedLines(differences, ["version 2", "version 5"], width);
  return lines.map((line) => line.map(({ text }) => text).join(""));
}

it("two versions are side by side where both columns fit, from the first difference on", () => {
  const wide = texts(80);
  expect(wide[0]).toMatch(/^VERSION 2 +VERSION 5/);
  expect(wide).toContainEqual(expect.stringMatching(/^ {2}3 +4/));
  expect(wide).toContainEqual(expect.stringMatching(/old +.*same/));
  expect(wide).toContainEqual(expect.stringMatching(/^ {2}x +\(absent\)/));
  expect(Math.max(...wide.map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(wide.length).toBeLessThan(20);
});

it("two versions are one below the other in a narrow pane, and equal ones say so", () => {
  expect(texts(40)[0]).toBe("- version 2  + version 5");
  expect(texts(40)).toContain("~ size  3 → 4");
  const same = comparedLines([], ["version 2", "version 5"], 80);
  expect(same).toEqual([[{ text: "version 2 and version 5 have the same data", as: "quiet" }]]);
});

it("differences in one line begin shortly before they differ", () => {
  expect(differenceWords(differences)).toBe(
    "size 3 → 4, note … same same same old end → … same same same new end, gone x removed, added y added",
  );
  expect(differenceWords([])).toBe("the same data");
});
