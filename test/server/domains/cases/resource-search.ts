import { makeRecord } from "../records/routes/ledger.ts";
import type { BadCase, RouteTable } from "./route-case.ts";

function bad(...cases: readonly [string, unknown, string][]): BadCase[] {
  return cases.map(([name, body, pointer]) => ({ name, body, pointers: [pointer] }));
}

/** `POST /search` as in spec 4.2. */
export const searchCases: RouteTable = {
  "resources.search": {
    before: (the) => makeRecord(the, { title: "a title", amount: 5 }),
    good: [
      {
        name: "finds by words and by letters",
        body: { query: "{reference}", limit: 1 },
        answers: {
          mode: "hybrid",
          embedding: "hashed",
          results: [{ id: "{id}", type: "ledger", scores: { vector: 1 }, data: { amount: 5 } }],
        },
      },
      {
        name: "finds by words, of a type, with a filter",
        body: {
          query: "titles",
          types: ["ledger"],
          mode: "fulltext",
          where: { reference: "{reference}" },
        },
        answers: {
          mode: "fulltext",
          results: [
            {
              id: "{id}",
              scores: { vector: null },
              highlights: [{ property: "title", matches: [{ start: 2, end: 7 }] }],
            },
          ],
        },
      },
      {
        name: "finds nothing",
        body: { query: "zeppelin", mode: "vector" },
        answers: { results: [], mode: "vector", embedding: "hashed" },
      },
    ],
    bad: bad(
      ["no query", {}, "#/query"],
      ["a query of spaces", { query: "  " }, "#/query"],
      ["a query of 4,001 signs", { query: "x".repeat(4_001) }, "#/query"],
      ["an unknown mode", { query: "x", mode: "semantic" }, "#/mode"],
      ["a limit of 0", { query: "x", limit: 0 }, "#/limit"],
      ["a limit of 101", { query: "x", limit: 101 }, "#/limit"],
      ["no types", { query: "x", types: [] }, "#/types"],
      ["a type that is not there", { query: "x", types: ["ledger", "nope"] }, "#/types/1"],
      ["an unknown operator", { query: "x", where: { id: { $x: 1 } } }, "#/where/id/$x"],
      ["an unknown property", { query: "x", where: { nope: 1 } }, "#/where/nope"],
      ["an unknown name", { query: "x", page: 2 }, "#/page"],
    ),
  },
};
