import { expect, test } from "vitest";
import * as z from "zod";
import { asObject, factsOf, listSource, memberOf } from "#client/answer/members.ts";
import { named } from "#contract/deployments.ts";

const list = z.object({
  items: named(z.array(z.object({ id: z.string() }))),
  nextCursor: z.string().optional(),
});
const thing = z.object({ count: z.number(), id: z.string(), message: z.string() });

test("an envelope is known by its only list, a thing by its first text", () => {
  expect(factsOf(list)).toMatchObject({ list: "items", isNeeded: true, name: "nextCursor" });
  expect(factsOf(thing)).toMatchObject({ list: undefined, name: "id", text: "message" });
});

test.each([
  [list, [1], { items: [1] }],
  [list, { items: [] }, { items: [] }],
  [thing, [1], undefined],
  [thing, "gone", { message: "gone" }],
  [thing, 7, { message: "7" }],
  [thing, null, undefined],
])("an answer as an object", (schema, answer, object) => {
  expect(asObject(schema, answer)).toEqual(object);
});

test.each([
  [{ items: [] }, undefined],
  [{ Results: [] }, "Results"],
  [{ data: { items: [] } }, "data"],
  [{ people: [{ id: "a" }] }, "people"],
  [{ people: [{ id: "a" }], pets: [{}] }, undefined],
  [{ tags: ["a"] }, undefined],
])("the list of %j is in %s", (answer, source) => {
  expect(listSource(list, answer)).toBe(source);
});

test("a member is found under other spellings, in a wrapper and in the paging", () => {
  expect(memberOf({ rows: [1] }, list, "items")).toEqual([1]);
  expect(memberOf({ data: { rows: [2] } }, list, "items")).toEqual([2]);
  expect(memberOf({ items: [], next_cursor: "a" }, list, "nextCursor")).toBe("a");
  expect(memberOf({ items: [], meta: { nextCursor: "b" } }, list, "nextCursor")).toBe("b");
  expect(memberOf({ Id: "x" }, thing, "id")).toBe("x");
});
