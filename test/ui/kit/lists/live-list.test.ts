import { expect, test } from "vitest";
import { rowsFrom, selectedIn } from "#ui/kit/lists/live-list.ts";

const rows = ["a", "b", "c"];
const rowAt = (index: number): string | undefined => rows[index];

test("the rows in sight may be unloaded, and a sought row is the selected one", () => {
  expect(rowsFrom({ rowAt }, 1, 3)).toEqual(["b", "c", undefined]);
  const cursor = { get: () => ({ index: 2 }) };
  expect(selectedIn({ cursor, rowAt } as never)).toBe("c");
  expect(selectedIn({ cursor, rowAt, sought: "x" } as never)).toBe("x");
});
