import { expect, it } from "vitest";
import { foundRows } from "#ui/kit/answers/found-rows.ts";
import type { Page } from "#ui/kit/answers/page-request.ts";

interface Query {
  readonly page: number | undefined;
  readonly cursor: string | undefined;
  readonly limit: number;
}

/** A list of the numbers from 0, whose pages name the next one in a way. */
function listOf(count: number, by: "cursor" | "total" | "nothing") {
  const asked: Query[] = [];
  const ask = (query: Query): Promise<Page<number>> => {
    asked.push(query);
    const { page = 1, cursor, limit } = query;
    const from = cursor === undefined ? (page - 1) * limit : Number(cursor);
    const length = Math.max(0, Math.min(limit, count - from));
    const items = Array.from({ length }, (_, index) => from + index);
    const end = from + length;
    if (by === "cursor") {
      return Promise.resolve({ items, nextCursor: end < count ? String(end) : null });
    }
    return Promise.resolve(by === "total" ? { items, total: count } : { items });
  };
  return { ask, asked };
}

const query: Query = { page: 1, cursor: undefined, limit: 100 };
const isSeventh = (row: number) => row % 70 === 69;

it.each(["cursor", "total", "nothing"] as const)(
  "a search reads all pages of a list that goes on by %s",
  async (by) => {
    const { ask, asked } = listOf(250, by);
    const { items, hasNextPage, total } = await foundRows(ask, query, isSeventh);
    expect(items).toEqual([69, 139, 209]);
    expect([hasNextPage, total]).toEqual([false, 3]);
    expect(asked).toHaveLength(3);
  },
);

it("a search ends after 1,000 rows, and when a page is full", async () => {
  const { ask, asked } = listOf(5_000, "cursor");
  expect((await foundRows(ask, query, (row) => row >= 1_000)).items).toEqual([]);
  expect(asked).toHaveLength(10);
  const all = await foundRows(ask, query, (row) => row % 2 === 0);
  expect(all.items).toHaveLength(100);
  expect(asked).toHaveLength(12);
});

it("a search of an empty list asks once", async () => {
  const { ask, asked } = listOf(0, "nothing");
  expect((await foundRows(ask, query, () => true)).items).toEqual([]);
  expect(asked).toHaveLength(1);
});
