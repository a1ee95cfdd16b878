import { describe, expect, test } from "vitest";
import { timelineLines, type TimelineStep } from "#ui/kit/text/timeline.ts";

const startMs = Date.parse("2026-11-27T10:00:00.000Z");
const at = (ms: number) => new Date(startMs + ms).toISOString();

function step(name: string, [from, to]: readonly [number, number], done?: number): TimelineStep {
  const amount = done === undefined ? undefined : { done, unit: "pages" };
  const times = { startedAt: at(from), finishedAt: at(to) };
  return { name, glyph: "✓", as: "good", words: "succeeded", ...times, amount };
}

function shown(steps: readonly TimelineStep[], width = 90): string[] {
  const lines = timelineLines(steps, width, startMs);
  return lines.map((line) => line.map(({ text }) => text).join(""));
}

describe("a timeline", () => {
  test("has bars on one scale, durations, amounts with their rate, and the total", () => {
    const lines = shown([step("store", [0, 500]), step("index", [500, 2_500], 4)]);
    expect(lines[0]).toMatch(/✓ store {2}succeeded +\d\d:00:00 +━+ +500 ms$/);
    expect(lines[1]).toMatch(/✓ index {2}succeeded +\d\d:00:00 +━+ +2\.0 s {2}4 pages, 2\/s$/);
    expect(lines[2]).toMatch(/^ +2\.5 s {2}total$/);
    const [first = 0, second = 0] = lines.map((line) => line.split("━").length - 1);
    expect(Math.abs(second - first * 4)).toBeLessThanOrEqual(2);
  });

  test("names one unit without its plural, and has no bars where there is no room", () => {
    const [line = ""] = shown([step("extract", [0, 20], 1)], 54);
    expect(line).toContain("1 page, 50/s");
    expect(line).not.toContain("━");
    // A part that would be cut is left out.
    expect(shown([step("extract", [0, 20], 1)], 44)[0]).toMatch(/ 20 ms$/);
  });
});
