import { expect, test } from "vitest";
import { fromRight, plainLetters } from "#server/text/extraction/formats/pdf/right-to-left.ts";

/** Runs of a line in the order of the drawing, from the left. */
function lineOf(...texts: string[]) {
  return texts.map((text, at) => ({
    text,
    x: at * 50,
    y: 0,
    width: 40,
    size: 12,
    endsLine: at === texts.length - 1,
    isRightToLeft: /[\u0590-\u06ff]/.test(text),
  }));
}

const textOf = (line: readonly { text: string }[]): string => line.map(({ text }) => text).join("");

test("a line of Hebrew that is drawn from the left is read from the right", () => {
  const line = fromRight(lineOf("התקבל", " ", "A", " ", "17", " ", "מספר הבקשה"));
  expect(textOf(line)).toBe("מספר הבקשה A 17 התקבל");
  expect(line.map(({ endsLine }) => endsLine).indexOf(true)).toBe(line.length - 1);
});

test("lines of other scripts, and those that are drawn from the right, keep their order", () => {
  const latin = lineOf("The word ", "שלום", " is a greeting");
  expect(fromRight(latin)).toBe(latin);
  const drawn = lineOf("מספר", " ", "הבקשה").map((run) => ({ ...run, x: -run.x }));
  expect(fromRight(drawn)).toBe(drawn);
});

test("Arabic letters in the form of their place are plain letters", () => {
  expect(plainLetters("\ufee2\ufed7\u0631 \ufefb ffi")).toBe("\u0645\u0642\u0631 \u0644\u0627 ffi");
});
