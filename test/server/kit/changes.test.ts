import { expect, test } from "vitest";
import { newChanges, shared } from "#server/kit/changes.ts";

test("another thread's changes are seen, each in its own count", () => {
  const at = new Date();
  const main = newChanges();
  const reader = newChanges(shared(main));
  main.commits.raise();
  main.objectTypes.raise();
  main.objectTypes.raise();
  const { access, commits, grants, objectTypes } = reader;
  expect([access, commits, grants, objectTypes].map(({ value }) => value)).toEqual([0, 1, 0, 2]);
  expect(reader.ids.next(at)).not.toBe(main.ids.next(at));
});
