import { expect, test } from "vitest";
import { lineShapes } from "#server/domains/archives/import/line-shapes.ts";

const page = { document_id: crypto.randomUUID(), page: 1, text: "Post 2.1" };
const cells = [
  [0, 4],
  [5, 8],
];
const words = { width: 600, height: 800, places: [0, 4, 10, 20, 30, 12] };

test.each([
  ["without tables and words", {}, []],
  ["with neither", { tables: null, words: null }, []],
  ["as it is stored", { tables: [{ header: 0, rows: [cells] }], words }, []],
  ["with a cell beyond its text", { tables: [{ header: 0, rows: [[[0, 9]]] }] }, ["tables"]],
  ["with a table of other members", { tables: [{ table: 1, page: 1, rows: [] }] }, ["tables"]],
  ["with a word beyond its text", { words: { ...words, places: [7, 2, 0, 0, 1, 1] } }, ["words"]],
  ["with tables that are no list", { tables: "" }, ["tables"]],
])("the line of a page %s", (_title, given, faults) => {
  const parsed = lineShapes.get("document-pages")?.safeParse({ ...page, ...given });
  expect(parsed?.error?.issues.flatMap(({ path }) => path) ?? []).toEqual(faults);
});
