import { describe, expect, it } from "vitest";
import {
  answerLines,
  frameLines,
  hasNumber,
  newLines,
  selectedNumber,
} from "#ui/kit/spoken/frame-lines.ts";

describe("the lines of a frame", () => {
  it("are its texts without borders, bars, colours and empty lines", () => {
    const frame = [
      "\x1b[1m council › planning\x1b[0m      ● live",
      "┌ licence ─ 42 ─ sort due ↓ ──────────────┐",
      "│1. selected  L-1   Quay Street           │",
      "│                                         │",
      "│2.           L-2   ▇▇▇▇▁▁  4             │",
      "└─────────────────────────────────────────┘",
      " ↵ open  ⇧tab previous pane  ^d delete",
    ].join("\n");
    expect(frameLines(frame)).toEqual([
      "council > planning, ● live",
      "licence, 42, sort due ↓",
      "1. selected, L-1, Quay Street",
      "2. L-2, 4",
      "enter open, shift+tab previous pane, ctrl+d delete",
    ]);
  });

  it("after those of another frame are what is new in them", () => {
    const before = ["licence", "1. selected, L-1, now", "2. L-2, 4m", "3. L-3, open"];
    const after = [
      "licence",
      "1. L-0, now",
      "2. L-1, 1m",
      "3. selected, L-2, 4m",
      "4. L-3, closed",
    ];
    expect(newLines(before, after)).toEqual([
      "1. L-0, now",
      "3. selected, L-2, 4m",
      "4. L-3, closed",
    ]);
    expect(newLines(after, after)).toEqual([]);
    expect(newLines(["same"], ["same", "same"])).toEqual(["same"]);
  });

  it("in answer to a filter are the whole list", () => {
    const before = ["svc", "places", "licence, 3", "1. selected, L-1", "2. L-2", "3. L-3"];
    const after = ["svc", "places", "licence, 2, filter L", "1. selected, L-2", "2. L-3"];
    expect(answerLines(before, after)).toEqual(after.slice(2));
    const moved = ["svc", "places", "licence, 3", "1. L-1", "2. selected, L-2", "3. L-3"];
    expect(answerLines(before, moved)).toEqual(["2. selected, L-2"]);
  });

  it("know the numbers that can be chosen", () => {
    const lines = ["licence", "7. L-7", "8. selected new, L-8"];
    expect(selectedNumber(lines)).toBe(8);
    expect(selectedNumber(lines.slice(0, 2))).toBe(7);
    expect(selectedNumber(["licence"])).toBeUndefined();
    expect([hasNumber(lines, 7), hasNumber(lines, 1)]).toEqual([true, false]);
  });
});
