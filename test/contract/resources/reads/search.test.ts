import { expect, test } from "vitest";
import { resourceSearch } from "#contract/resources/reads/search.ts";

test("a search has a mode and a number of results", () => {
  expect(resourceSearch.parse({ query: "wall" })).toEqual({
    query: "wall",
    mode: "hybrid",
    limit: 10,
  });
});

test.each([
  { query: "  " },
  { query: "x".repeat(4_001) },
  { query: "a", types: [] },
  { query: "a", mode: "odd" },
  { query: "a", limit: 101 },
  { query: "a", other: 1 },
])("%j is refused", (body) => {
  expect(resourceSearch.safeParse(body).success).toBe(false);
});
