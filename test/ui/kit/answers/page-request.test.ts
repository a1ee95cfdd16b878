import { expect, test } from "vitest";
import {
  askPages,
  goesOn,
  isSame,
  type Page,
  type PageRequest,
} from "#ui/kit/answers/page-request.ts";

async function asked(pages: readonly Page<number>[], place: { index: number; cursor?: string }) {
  const requests: Partial<PageRequest>[] = [];
  const fetchPage = ({ page, cursor, limit }: PageRequest): Promise<Page<number>> => {
    requests.push({ page, cursor, limit });
    return Promise.resolve(pages[requests.length - 1] ?? { items: [] });
  };
  const signal = new AbortController().signal;
  const found = await askPages(fetchPage, { cursor: undefined, limit: 3, signal, ...place });
  return { found, requests };
}

test.each([
  [{ items: [], nextCursor: "a" }, true],
  [{ items: [], nextCursor: "", hasNextPage: false }, false],
  [{ items: [], total: 5 }, true],
  [{ items: [], total: 3 }, false],
  [{ items: [] }, undefined],
])("%j goes on: %s", (page, holds) => {
  expect(goesOn(page, 3)).toBe(holds);
});

test("a later page that ends early is filled by its cursor", async () => {
  const pages = [
    { items: [1], nextCursor: "b" },
    { items: [2, 3], nextCursor: "c" },
  ];
  const { found, requests } = await asked(pages, { index: 1, cursor: "a" });
  expect(found).toEqual([{ items: [1, 2, 3], nextCursor: "c" }]);
  expect(requests).toEqual([
    { page: undefined, cursor: "a", limit: 3 },
    { page: undefined, cursor: "b", limit: 2 },
  ]);
});

test("a short first page of a silent list comes with the second one", async () => {
  const more = await asked([{ items: [1, 2] }, { items: [3] }], { index: 0 });
  expect(more.found).toEqual([{ items: [1, 2], hasNextPage: true }, { items: [3] }]);
  const same = await asked([{ items: [1, 2] }, { items: [1, 2] }], { index: 0 });
  expect(same.found).toEqual([{ items: [1, 2], hasNextPage: false }]);
  expect((await asked([{ items: [1, 2], total: 2 }], { index: 0 })).requests).toHaveLength(1);
  expect([isSame([{ a: 1 }], [{ a: 1 }]), isSame([1], [1, 2])]).toEqual([true, false]);
});
