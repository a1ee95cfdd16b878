import { expect, test } from "vitest";
import * as z from "zod";
import {
  alsoNamed,
  folded,
  isNamed,
  named,
  otherNamesOf,
  sentForm,
} from "#contract/deployments.ts";

test("a name is the same in every spelling", () => {
  expect(new Set(["createdAt", "created_at", "created-at"].map(folded)).size).toBe(1);
  expect(folded("createdAt")).not.toBe(folded("createdOn"));
});

test("a mark belongs to a copy of its schema", () => {
  const text = z.string();
  expect([isNamed(named(text)), isNamed(text)]).toEqual([true, false]);
  expect([otherNamesOf(alsoNamed(text, "a", "b")), otherNamesOf(text)]).toEqual([["a", "b"], []]);
});

test("an object is checked as it is sent", () => {
  const schema = sentForm(z.object({ a: z.string() }));
  expect(schema.safeParse({ a: "x" }).success).toBe(true);
  expect(schema.safeParse({ a: 7 }).success).toBe(false);
});
