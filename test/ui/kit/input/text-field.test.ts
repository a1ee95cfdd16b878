import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  erasures,
  fieldRows,
  fieldText,
  fieldWindow,
  graphemesBetween,
  insertText,
  jumps,
  moveCursor,
  moveRows,
  roomProblem,
  shownGrapheme,
  textField,
} from "#ui/kit/input/text-field.ts";
import { textWidth } from "#ui/kit/text/text-layout.ts";

describe("typing", () => {
  it("inserts at the cursor and moves after the text", () => {
    const field = insertText(moveCursor(textField("ac"), -1), "b");
    expect(fieldText(field)).toBe("abc");
    expect(field.cursor).toBe(2);
  });

  it("takes a text whole or not at all", () => {
    const most = 100_000;
    const field = insertText(textField("a"), "x".repeat(most - 1));
    expect(field.graphemes).toHaveLength(most);
    expect(insertText(field, "y")).toBe(field);
    expect(insertText(textField("a"), "x".repeat(most))).toEqual(textField("a"));
    expect(roomProblem(textField("abc"), "x".repeat(most))).toBe(
      "nothing was inserted: 100,000 characters do not fit, there is room for 99,997 of 100,000",
    );
    expect(textField("x".repeat(150_003)).graphemes).toHaveLength(150_003);
  });

  it("joins a combining mark with the letter before it", () => {
    const field = insertText(textField("e"), "\u0301");
    expect(field.graphemes).toEqual(["e\u0301"]);
    expect(field.cursor).toBe(1);
  });

  it("erases a family as one character", () => {
    expect(fieldText(erasures.left(textField("a👨‍👩‍👧"), 1))).toBe("a");
  });

  it("walks and erases words", () => {
    const field = textField("one two  three");
    expect(jumps.wordLeft(field).cursor).toBe(9);
    expect(jumps.wordLeft(jumps.wordLeft(field)).cursor).toBe(4);
    expect(fieldText(erasures.word(field))).toBe("one two  ");
  });

  it("works on the cursor's line", () => {
    const field = moveCursor(textField("one\ntwo\nthree"), -6);
    expect(jumps.lineStart(field).cursor).toBe(4);
    expect(jumps.lineEnd(field).cursor).toBe(7);
    expect(fieldText(erasures.toEnd(jumps.lineStart(field)))).toBe("one\n\nthree");
  });

  it("stays inside the text whatever is pressed", () => {
    const moves = fc.constantFrom(
      (field: ReturnType<typeof textField>) => moveCursor(field, -3),
      (field: ReturnType<typeof textField>) => moveCursor(field, 2),
      jumps.wordLeft,
      jumps.wordRight,
      jumps.lineStart,
      jumps.lineEnd,
      erasures.word,
      erasures.toEnd,
      erasures.toStart,
      (field: ReturnType<typeof textField>) => erasures.left(field, 2),
      (field: ReturnType<typeof textField>) => insertText(field, "x y\n"),
    );
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.array(moves), (text, changes) => {
        const field = changes.reduce((now, change) => change(now), textField(text));
        expect(field.cursor).toBeGreaterThanOrEqual(0);
        expect(field.cursor).toBeLessThanOrEqual(field.graphemes.length);
      }),
      { numRuns: 200 },
    );
  });
});

describe("the visible part", () => {
  it("is the part around the cursor", () => {
    const field = textField("abcdefghij");
    expect(fieldWindow(field, 5)).toEqual({
      graphemes: ["g", "h", "i", "j"],
      start: 6,
      cursor: 4,
    });
    expect(fieldWindow(moveCursor(field, -10), 5)).toEqual({
      graphemes: ["a", "b", "c", "d", "e"],
      start: 0,
      cursor: 0,
    });
  });

  it("counts wide characters as two columns", () => {
    expect(fieldWindow(textField("日本語"), 5).graphemes).toEqual(["本", "語"]);
  });

  it("wraps several lines and keeps a place for the cursor", () => {
    const rows = fieldRows(textField("abcd\nef"), 4);
    expect(rows.map((row) => row.graphemes.join(""))).toEqual(["abc", "d", "ef"]);
    expect(rows.map((row) => row.cursor)).toEqual([undefined, undefined, 2]);
    expect(rows.map((row) => row.start)).toEqual([0, 3, 5]);
  });

  it("breaks lines between words, and in a word that is longer than a line", () => {
    const texts = (text: string, width: number) =>
      fieldRows(textField(text), width).map((row) => row.graphemes.join(""));
    expect(texts("one two three", 9)).toEqual(["one two ", "three"]);
    expect(texts("one two three", 8)).toEqual(["one two ", "three"]);
    expect(texts("one abcdefghij k", 6)).toEqual(["one ", "abcde", "fghij ", "k"]);
    // The cursor has its own place after a blank that fills the row.
    const field = textField("one two ");
    expect(fieldRows(field, 8)).toMatchObject([{ start: 0 }, { start: 8, cursor: 0 }]);
  });

  it("keeps every grapheme, in rows that fit", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.integer({ min: 3, max: 12 }),
        (text, width) => {
          const field = textField(text);
          const rows = fieldRows(field, width);
          const broken = text.replaceAll("\n", "");
          expect(rows.map((row) => row.graphemes.join("")).join("")).toBe(broken);
          expect(rows.filter((row) => row.cursor !== undefined)).toHaveLength(1);
          for (const row of rows) {
            const wide = row.graphemes.reduce((sum, one) => sum + textWidth(shownGrapheme(one)), 0);
            expect(wide).toBeLessThanOrEqual(width);
            expect(row.graphemes).toEqual(
              field.graphemes.slice(row.start, row.start + row.graphemes.length),
            );
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it("finds graphemes by text offsets", () => {
    const field = textField("a👨‍👩‍👧bc");
    expect(graphemesBetween(field, { start: 9, end: 10 })).toEqual({ start: 2, end: 3 });
    expect(graphemesBetween(field, { start: 1, end: 9 })).toEqual({ start: 1, end: 2 });
    expect(graphemesBetween(field, { start: 3, end: 99 })).toEqual({ start: 1, end: 4 });
  });

  it("moves by screen rows, where there are any", () => {
    const field = textField("abcd\nef");
    expect(moveRows(field, -1, 4)?.cursor).toBe(4);
    expect(moveRows(moveCursor(field, -7), 2, 4)?.cursor).toBe(5);
    expect(moveRows(field, 1, 4)).toBeUndefined();
    expect(moveRows(moveCursor(field, -7), -1, 4)).toBeUndefined();
  });
});
