import { expect, test } from "vitest";
import {
  currentIndexes,
  filterText,
  streamFilter,
} from "#server/domains/realtime/stream-filter.ts";

const workspace = { id: "w", role: "tenant-admin", name: "a", permissions: undefined } as never;

test("a filter has one form to compare", () => {
  expect(filterText({ types: "a" })).toBe(filterText({ types: "a", full: false }));
  expect(filterText({ types: "a", full: true })).not.toBe(filterText({ types: "a" }));
});

test("an unknown type is refused at its place", async () => {
  const objectTypes = { find: () => Promise.resolve(undefined) } as never;
  await expect(
    streamFilter(objectTypes, workspace, { types: "none" }, "query"),
  ).rejects.toMatchObject({
    options: { errors: [{ pointer: "#/query/types", detail: '"none" is not an Object Type' }] },
  });
  expect((await streamFilter(objectTypes, workspace, { kinds: "record" }, "query")).indexes).toBe(
    "[]",
  );
  expect(
    await currentIndexes(objectTypes, workspace, {
      types: new Set(["x"]),
      names: new Set(),
    } as never),
  ).toBe("[]");
});
