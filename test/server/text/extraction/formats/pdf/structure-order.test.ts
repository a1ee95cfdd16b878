import { expect, test } from "vitest";
import type { PageRun } from "#server/text/extraction/formats/pdf/pdf-runs.ts";
import { inStructureOrder } from "#server/text/extraction/formats/pdf/structure-order.ts";

function run(text: string, content?: string, y = 700): PageRun {
  return { text, x: 50, y, width: 50, size: 10, endsLine: false, angle: 0, content };
}

const content = (id: string) => ({ type: "content", id });
const element = (role: string, ...children: object[]) => ({ role, children });
type Tree = Parameters<typeof inStructureOrder>[1];
const tree = (...children: object[]): Tree => ({ role: "Root", children }) as Tree;

const order = (runs: readonly PageRun[], structure: Tree) =>
  inStructureOrder(runs, structure).runs.map(({ text }) => text);

test("text is read in the order of the structure, and ends its lines", () => {
  const runs = [run("second", "b", 600), run("first", "a", 700)];
  const structure = tree(element("P", content("a")), element("P", content("b")));
  const { runs: ordered, hasStructure } = inStructureOrder(runs, structure);
  expect(ordered.map(({ text, endsLine }) => [text, endsLine])).toEqual([
    ["first", true],
    ["second", false],
  ]);
  expect(hasStructure).toBe(true);
});

test("text that the structure leaves out stays after what was drawn before it", () => {
  const runs = [run("-"), run("second paragraph", "b"), run("1"), run("first paragraph", "a")];
  const structure = tree(element("P", content("a")), element("P", content("b")));
  expect(order(runs, structure)).toEqual(["-", "first paragraph", "second paragraph", "1"]);
});

test.each([
  ["none", null],
  ["one that has little of the text", tree(element("P", content("a")))],
])("the order of drawing stays without a structure: %s", (_, structure) => {
  const runs = [run("a long second paragraph", "b"), run("first", "a")];
  expect(inStructureOrder(runs, structure)).toEqual({ runs, hasStructure: false });
});

test("cells have their row and column, unless rows differ in length", () => {
  const row = (...ids: string[]) =>
    element("TR", ...ids.map((id) => element(id === "a" ? "TH" : "TD", content(id))));
  const runs = ["a", "b", "c", "d"].map((id) => run(`text ${id}`, id));
  const table = element("Table", element("TBody", row("a", "b"), row("c", "d")));
  const even = inStructureOrder(runs, tree(element("P"), table));
  expect(even.runs.map(({ cell }) => [cell?.row, cell?.column, cell?.isHeading])).toEqual([
    [0, 0, true],
    [0, 1, false],
    [1, 0, false],
    [1, 1, false],
  ]);
  const uneven = tree(element("P"), element("Table", row("a", "b", "c"), row("d")));
  expect(inStructureOrder(runs, uneven).hasStructure).toBe(false);
});
