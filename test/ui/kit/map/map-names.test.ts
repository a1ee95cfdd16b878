import { expect, it } from "vitest";
import { namedLines } from "#ui/kit/map/map-names.ts";

const window = { west: 0, east: 20, south: 0, north: 3 };

function drawn(lines: readonly string[], names: readonly string[]): string[] {
  const points = [
    [1.5, 2.5],
    [18.5, 1.5],
    [4.5, 0.5],
  ] as const;
  const pieces = lines.map((line) =>
    line.split(/(?=o)|(?<=o)/).map((text) => ({
      kind: text === "o" ? ("places" as const) : ("coast" as const),
      text,
    })),
  );
  const named = namedLines({ window, lines: pieces }, { points, names }, 20, 3);
  return named.map((spans) => spans.map(({ text }) => text).join(""));
}

const map = [" o", `${" ".repeat(18)}o`, `    o ${"\u2836".repeat(6)}`];

it("the names of places are next to their marks, where no coast or mark is", () => {
  expect(drawn(map, ["Mill", "東京 A", "Quay"])).toEqual([
    " o Mill",
    `${" ".repeat(11)}東京 A o`,
    `    o ${"\u2836".repeat(6)}`,
  ]);
});

it("hostile names change nothing else, and many names are left out", () => {
  expect(drawn(map, ["\x1b[2JMill\x07", "", ""])[0]).toBe(" o Mill");
  const many = Array.from({ length: 301 }, () => "Mill");
  expect(drawn(map, many)[0]).toBe(" o");
});
