import { expect, test } from "vitest";
import { Shown, shown } from "#cli/shown.ts";

const attack = "a\x1b[2Jb\nc";

test("values from outside are cleaned, and our own text is not", () => {
  const red = Shown.styled(["\x1b[31m", "\x1b[39m"], attack);
  expect(red.toString()).toBe("\x1b[31mab c\x1b[39m");
  expect(shown`${red}: ${attack} ${7}`.toString()).toBe("\x1b[31mab c\x1b[39m: ab c 7");
  expect(Shown.block(attack).toString()).toBe("ab\nc");
  expect(Shown.joined(["a", attack], ", ").toString()).toBe("a, ab c");
});

test("JSON is escaped for a terminal only", () => {
  expect(Shown.json('"\x9b"', true).toString()).toBe('"\\u009b"');
  expect(Shown.json('"\x9b"', false).toString()).toBe('"\x9b"');
});

test("lines are measured in columns", () => {
  const wide = shown`日本語`;
  expect([wide.width, wide.isEmpty, shown``.isEmpty]).toEqual([6, false, true]);
  expect(wide.clipped(5).toString()).toBe("日本…");
  expect(wide.clipped(6)).toBe(wide);
  expect(shown`a`.padded(3).toString()).toBe("a  ");
  expect(shown`a`.padded(3, "right").toString()).toBe("  a");
  expect(shown`one two`.wrapped(4).toString()).toBe("one\ntwo");
  expect(Shown.block("a\nb").indented(2).toString()).toBe("a\n  b");
  expect(shown`a  `.trimmed().toString()).toBe("a");
});
