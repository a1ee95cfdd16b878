import { expect, test } from "vitest";
import { fixedListQuery, listBody, listQuery } from "#contract/lists.ts";
import * as z from "zod";

test.each([
  [
    { page: "2", limit: "500" },
    { page: 2, limit: 500 },
  ],
  [{ count: "true" }, { count: true }],
  [{ count: "false" }, { count: false }],
  [{ sort: "-created_at,name" }, { sort: "-created_at,name" }],
])("the query %j is read", (query, read) => {
  expect(listQuery.parse(query)).toEqual(read);
});

test.each([
  { page: "0" },
  { page: "1e3" },
  { limit: "501" },
  { limit: 1.5 },
  { count: "yes" },
  { sort: "a b" },
  { sort: "a,b,c,d,e,f,g,h,i" },
  { where: "x".repeat(16_385) },
])("the query %j is refused", (query) => {
  expect(listQuery.safeParse(query).success).toBe(false);
});

test("a list with a fixed order takes no order and no filter", () => {
  expect(Object.keys(fixedListQuery.shape)).toEqual(["page", "limit", "cursor", "count"]);
  expect(listBody(z.number()).safeParse({ items: ["x"] }).success).toBe(false);
});
