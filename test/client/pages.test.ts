import { expect, test } from "vitest";
import { itemsOf, listInput, pagesOf } from "#client/pages.ts";

type Page = {
  items: number[];
  nextCursor?: string | null;
  hasNextPage?: boolean;
  page?: number;
  total?: number;
};

/** All items of a list whose pages are answers by their cursor or number. */
async function read(pages: Record<string, Page>, options = {}): Promise<[number[], string[]]> {
  const asked: string[] = [];
  const list = ({ cursor, page }: { cursor?: string | undefined; page?: number | undefined }) => {
    asked.push(cursor ?? String(page));
    return Promise.resolve(pages[cursor ?? String(page)] ?? { items: [] });
  };
  const items: number[] = [];
  for await (const item of itemsOf(pagesOf(list as never, options))) items.push(item as number);
  return [items, asked];
}

test("pages follow by cursor, by number where there is none, and by a guess", async () => {
  const byCursor = { 1: { items: [1], nextCursor: "b" }, b: { items: [2], nextCursor: null } };
  expect(await read(byCursor)).toEqual([
    [1, 2],
    ["1", "b"],
  ]);
  const byNumber = { 1: { items: [1], hasNextPage: true }, 2: { items: [2], hasNextPage: false } };
  expect(await read(byNumber)).toEqual([
    [1, 2],
    ["1", "2"],
  ]);
  const silent = { 1: { items: [1] }, 2: { items: [2] } };
  expect(await read(silent)).toEqual([
    [1, 2],
    ["1", "2", "3"],
  ]);
  expect((await read({ 1: { items: [1], total: 1 } }))[1]).toEqual(["1"]);
  expect((await read({ 1: { items: [1] }, 2: { items: [1] } }))[0]).toEqual([1]);
});

test("a list that repeats itself is refused", async () => {
  await expect(
    read({ 1: { items: [1], nextCursor: "a" }, a: { items: [2], nextCursor: "a" } }),
  ).rejects.toThrow("announces a next page that is not new");
  await expect(
    read({ 1: { items: [1], hasNextPage: true }, 2: { items: [2], page: 1, hasNextPage: true } }),
  ).rejects.toThrow("page 1 of the list came instead of page 2");
});

test("an aborted list ends with the signal's reason", async () => {
  const stop = AbortSignal.abort(new Error("stopped"));
  await expect(read({ 1: { items: [1] } }, { signal: stop })).rejects.toThrow("stopped");
});

test("the options of a list become its query", () => {
  expect(listInput({ limit: 5, where: { a: 1 }, timeoutMs: 9 })).toEqual({
    timeoutMs: 9,
    query: { limit: 5, where: '{"a":1}' },
  });
});
