import { expect, test } from "vitest";
import { statusColumn } from "#ui/kit/table/status-column.ts";

test("a status has its glyph and colour, and none is empty", () => {
  const column = statusColumn<{ readonly state?: string }>({
    priority: 1,
    of: ({ state }) => state,
  });
  expect(column.value({ state: "failed" })).toMatch(/^\S failed$/);
  expect(column.token?.({ state: "failed" })).toBe("bad");
  expect([column.value({}), column.token?.({})]).toEqual(["", undefined]);
  expect(column).toMatchObject({ id: "status", title: "status", minimum: 9 });
});
