import { expect, test } from "vitest";
import { filterColumns, filterOf } from "#server/domains/webhooks/endpoint-wire.ts";
import { storedRole } from "#server/work/held-role.ts";

test.each([
  { kinds: null, types: null, where: null, rules: null },
  {
    kinds: ["record"],
    types: ["permit", "site"],
    where: { status: { $in: ["open"] } },
    rules: null,
  },
])("a filter is read from its columns as it was written: %j", (filter) => {
  expect(filterOf(filterColumns(filter))).toEqual(filter);
});

test("a stored text that names no role has the least rights", () => {
  expect(storedRole("tenant-builder")).toBe("tenant-builder");
  expect(storedRole("owner")).toBe("tenant-viewer");
});
