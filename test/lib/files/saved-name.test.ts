import { expect, test } from "vitest";
import { savedName } from "#lib/files/saved-name.ts";

test.each([
  ["plans.pdf", "plans.pdf"],
  ["naïve – 計画.pdf", "naïve – 計画.pdf"],
  ['He said "no".txt', "He said _no_.txt"],
  ["../../etc/passwd", "passwd"],
  ["C:\\temp\\a.txt", "a.txt"],
  ["a:b.txt", "a_b.txt"],
  [".bashrc", "bashrc"],
  ["..", "file"],
  ["", "file"],
  ["folder/", "file"],
  ["two\nlines\u0000.txt", "twolines.txt"],
  ["\u202egpj.exe", "gpj.exe"],
  ["\u001b]0;title\u0007.txt", "]0;title.txt"],
  ["con", "_con"],
  ["NUL.txt", "_NUL.txt"],
  ["console.log", "console.log"],
  ["half \ud83d pair", "half \ufffd pair"],
  ["trailing. . ", "trailing"],
])("%j is saved as %j", (name, saved) => {
  expect(savedName(name, "file")).toBe(saved);
});

test("a long name keeps its ending, and no character is cut in two", () => {
  expect(savedName(`${"n".repeat(300)}.pdf`, "file")).toBe(`${"n".repeat(251)}.pdf`);
  const wide = savedName(`${"計".repeat(100)}.pdf`, "file");
  expect(wide).toBe(`${"計".repeat(83)}.pdf`);
  expect(savedName("n".repeat(255), "file")).toBe("n".repeat(255));
  const emoji = savedName(`${"🙂".repeat(80)}`, "file");
  expect(emoji).toBe("🙂".repeat(63));
});

test("a name of nothing but dots between two letters is worked off in one pass", () => {
  expect(savedName(`a${".".repeat(1_000_000)}b`, "file")).toBe(`a${".".repeat(253)}b`);
});
