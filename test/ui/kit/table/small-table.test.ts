import { expect, test } from "vitest";
import { smallTableWidths } from "#ui/kit/table/small-table.tsx";

test("a small table cuts its widest column only, and only where there is no room", () => {
  expect(smallTableWidths([8, 6, 60], 100)).toEqual([8, 6, 60]);
  expect(smallTableWidths([8, 6, 60], 50)).toEqual([8, 6, 26]);
  expect(smallTableWidths([20, 6, 20], 40)).toEqual([12, 6, 12]);
  expect(smallTableWidths([8, 6, 60], 5)).toEqual([1, 1, 1]);
});
