import { expect, test } from "vitest";
import { layoutDirections } from "#server/text/extraction/formats/pdf/page-directions.ts";
import type { PageRun } from "#server/text/extraction/formats/pdf/pdf-runs.ts";

const page = [0, 0, 600, 800] as const;

/** A line of letters that are 5 wide and 10 high. */
function line(text: string, [x, y]: readonly [number, number], angle = 0): PageRun {
  const width = text.length * 5;
  return { text, x, y, width, size: 10, endsLine: true, angle, content: undefined };
}

const layout = (...runs: readonly PageRun[]) =>
  layoutDirections({ runs, hasStructure: false }, page);

test("turned lines follow the text of the page, each direction by itself", () => {
  const { text, layout: places } = layout(
    line("The first line of the letter", [50, 700]),
    line("Copy", [20, 300], 90),
    line("of the file", [32, 300], 90),
    line("The second line of it", [50, 686]),
    line("Received", [400, 500], 330),
  );
  expect(text).toBe(
    "The first line of the letter\nThe second line of it\n\nCopy\nof the file\n\nReceived",
  );
  // A word that runs upwards is as high as it is long, and left of its baseline.
  expect(places.words.find(({ text: word }) => word === "Copy")).toEqual({
    text: "Copy",
    x: 12,
    y: 480,
    width: 8,
    height: 20,
  });
});

test.each([
  [90, [100, 50], [114, 50], { width: 800, height: 600 }],
  [180, [500, 700], [500, 714], { width: 600, height: 800 }],
  [270, [500, 750], [486, 750], { width: 800, height: 600 }],
] as const)(
  "a page whose text is turned by %i degrees is read upright",
  (angle, one, two, size) => {
    const { text, layout: places } = layout(
      line("Owner:", one, angle),
      line("W. Aardwolf", two, angle),
    );
    expect(text).toBe("Owner:\nW. Aardwolf");
    expect(places).toMatchObject(size);
    const [first, second] = places.words;
    expect(first).toMatchObject({ text: "Owner:", width: 30 });
    expect(first?.x).toBeCloseTo(second?.x ?? 0);
    expect((second?.y ?? 0) - (first?.y ?? 0)).toBeCloseTo(14);
  },
);
