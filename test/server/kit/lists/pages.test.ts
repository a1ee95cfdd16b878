import { expect, test } from "vitest";
import { ListCursors } from "#server/kit/lists/cursors.ts";
import { bytesOfTexts, fittingRows, ListPages, madeAt } from "#server/kit/lists/pages.ts";

const pages = new ListPages(new ListCursors(new Uint8Array(32)), ["things"]);
const positionOf = (row: number) => [row];

test("a list is read by number, then by cursor to its end", () => {
  const first = pages.start({ limit: 2 });
  expect(first).toEqual({ page: 1, limit: 2, rows: 3, after: undefined, offset: 0 });
  expect(pages.start({ limit: 2, page: 4 }).offset).toBe(6);
  const body = pages.body(first, { rows: [5, 4, 3], positionOf, itemOf: String, total: 3 });
  expect(body).toMatchObject({ items: ["5", "4"], page: 1, hasNextPage: true, total: 3 });
  const next = pages.start({ limit: 2, cursor: body.nextCursor ?? "" });
  expect(next).toMatchObject({ page: 2, after: [4], offset: 0 });
  expect(pages.body(next, { rows: [3], positionOf, itemOf: String })).toEqual({
    items: ["3"],
    page: 2,
    limit: 2,
    hasNextPage: false,
    nextCursor: null,
  });
});

test("a list without positions has cursors with offsets, also after a shorter page", () => {
  const start = pages.start({ limit: 3, page: 2 });
  const { nextCursor, items } = pages.body(start, { rows: [1, 2, 3], shown: 1, itemOf: String });
  expect(items).toEqual(["1"]);
  expect(pages.start({ limit: 3, cursor: nextCursor ?? "" })).toMatchObject({ page: 3, offset: 4 });
});

test("a page has rows for its bytes, and at least one", () => {
  const half = 9 * 1024 * 1024;
  expect(fittingRows([1, 2, 3], 2, () => 1)).toBe(2);
  expect(fittingRows([1, 2, 3], 3, () => half * 100)).toBe(1);
  expect(fittingRows([], 3, () => half)).toBe(3);
  expect(bytesOfTexts({ a: "four", b: 5, c: "x" })).toBe(5);
});

test("a position of time and id has both, or is none", () => {
  expect(madeAt(["2026", "id"])).toEqual({ createdAt: "2026", id: "id" });
  expect(madeAt(["2026"])).toBe(undefined);
  expect(madeAt(undefined)).toBe(undefined);
});
