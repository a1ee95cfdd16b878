import { expect, test } from "vitest";
import * as z from "zod";
import { asObject, factsOf, listSource, memberOf } from "#client/answer/members.ts";
import { named } from "#contract/deployments.ts";
import { shapeAt, type ObjectShape } from "#contract/plain/shape.ts";
import { formOf } from "#test/support/form.ts";

type Known = readonly [shapes: Parameters<typeof factsOf>[0], shape: ObjectShape];

function known(schema: z.ZodObject): Known {
  const { shapes, place } = formOf(schema);
  const shape = shapeAt(shapes, place);
  if (shape.is !== "object") throw new TypeError("no object");
  return [shapes, shape];
}

const list = known(
  z.object({
    items: named(z.array(z.object({ id: z.string() }))),
    nextCursor: z.string().optional(),
  }),
);
const thing = known(z.object({ count: z.number(), id: z.string(), message: z.string() }));

test("an envelope is known by its only list, a thing by its first text", () => {
  expect(factsOf(...list)).toMatchObject({ list: "items", isNeeded: true, name: "nextCursor" });
  expect(factsOf(...thing)).toMatchObject({ list: undefined, name: "id", text: "message" });
});

test.each([
  [list, [1], { items: [1] }],
  [list, { items: [] }, { items: [] }],
  [thing, [1], undefined],
  [thing, "gone", { message: "gone" }],
  [thing, 7, { message: "7" }],
  [thing, null, undefined],
])("an answer as an object", (shape, answer, object) => {
  expect(asObject(...shape, answer)).toEqual(object);
});

test.each([
  [{ items: [] }, undefined],
  [{ Results: [] }, "Results"],
  [{ data: { items: [] } }, "data"],
  [{ people: [{ id: "a" }] }, "people"],
  [{ people: [{ id: "a" }], pets: [{}] }, undefined],
  [{ tags: ["a"] }, undefined],
])("the list of %j is in %s", (answer, source) => {
  expect(listSource(...list, answer)).toBe(source);
});

test("a member is found under other spellings, in a wrapper and in the paging", () => {
  expect(memberOf(...list, { rows: [1] }, "items")).toEqual([1]);
  expect(memberOf(...list, { data: { rows: [2] } }, "items")).toEqual([2]);
  expect(memberOf(...list, { items: [], next_cursor: "a" }, "nextCursor")).toBe("a");
  expect(memberOf(...list, { items: [], meta: { nextCursor: "b" } }, "nextCursor")).toBe("b");
  expect(memberOf(...thing, { Id: "x" }, "id")).toBe("x");
  expect(memberOf(...thing, { Id: { name: "x" } }, "id")).toBe(undefined);
});
