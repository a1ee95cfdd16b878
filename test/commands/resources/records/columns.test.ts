import { expect, test } from "vitest";
import { resourceColumns } from "#commands/resources/records/columns.ts";
import type { Resource } from "#contract/resources/resources.ts";

test("a record without a value has an empty cell, also in a column named like a prototype's member", () => {
  const items: Resource[] = [
    { id: "1", version: 1, data: { constructor: "Ada" } },
    { id: "2", version: 1, data: {} },
  ];
  const column = resourceColumns(items).find(({ heading }) => heading === "constructor");
  expect(items.map((item) => column?.value(item))).toEqual(["Ada", ""]);
});
