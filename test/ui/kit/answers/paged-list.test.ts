import { describe, expect, it } from "vitest";
import type { Page, PageRequest } from "#ui/kit/answers/page-request.ts";
import { PagedList, pageSize } from "#ui/kit/answers/paged-list.ts";
import { ListStore } from "#ui/kit/answers/list-store.ts";

interface Row {
  id: number;
}

function serverOf(rows: Row[], options: { withTotal?: boolean } = {}) {
  const requests: PageRequest[] = [];
  const fetchPage = (request: PageRequest): Promise<Page<Row>> => {
    requests.push(request);
    const start =
      request.cursor === undefined
        ? ((request.page ?? 1) - 1) * request.limit
        : Number(request.cursor);
    const end = start + request.limit;
    return Promise.resolve({
      items: rows.slice(start, end),
      hasNextPage: end < rows.length,
      nextCursor: end < rows.length ? String(end) : null,
      ...(request.count && options.withTotal !== false ? { total: rows.length } : {}),
    });
  };
  return { requests, fetchPage };
}

const settled = () => Bun.sleep(5);

const keyOf = ({ id }: Row) => String(id);

function rowsOf(count: number): Row[] {
  return Array.from({ length: count }, (_, id) => ({ id }));
}

describe("a list of any number of rows", () => {
  it("fetches the visible rows and the total", async () => {
    const { fetchPage, requests } = serverOf(rowsOf(10_000));
    const list = new PagedList<Row>();
    list.readFrom(fetchPage, keyOf);
    list.setVisible(0, 30);
    await settled();
    expect(list.view().count).toBe(10_000);
    expect(list.view().counted).toBe(true);
    expect(list.view().rowAt(30)).toEqual({ id: 30 });
    expect(list.view().rowAt(5_000)).toBeUndefined();
    expect(requests).toHaveLength(1);
  });

  it("jumps to the end by page number and reads on by cursor", async () => {
    const { fetchPage, requests } = serverOf(rowsOf(10_000));
    const list = new PagedList<Row>();
    list.readFrom(fetchPage, keyOf);
    list.setVisible(0, 30);
    await settled();
    list.setVisible(9_980, 9_999);
    await settled();
    expect(list.view().rowAt(9_999)).toEqual({ id: 9_999 });
    expect(requests.at(-1)).toMatchObject({ page: 100, cursor: undefined });
    list.setVisible(90, 120);
    await settled();
    expect(requests.at(-1)).toMatchObject({ page: undefined, cursor: "100" });
  });

  it("finds the end by reading on when the platform gives no total", async () => {
    const { fetchPage } = serverOf(rowsOf(150), { withTotal: false });
    const list = new PagedList<Row>();
    list.readFrom(fetchPage, keyOf);
    list.setVisible(0, 30);
    await settled();
    expect(list.view()).toMatchObject({ count: 100, counted: false });
    list.setVisible(70, 99);
    await settled();
    expect(list.view()).toMatchObject({ count: 150, counted: true });
  });

  it("keeps a bounded number of pages, and the first one always", async () => {
    const { fetchPage } = serverOf(rowsOf(100_000));
    const list = new PagedList<Row>();
    list.readFrom(fetchPage, keyOf);
    list.setVisible(0, 1);
    await settled();
    for (let page = 1; page < 100; page += 1) {
      list.setVisible(page * pageSize, page * pageSize + 1);
      await settled();
    }
    const view = list.view();
    const cached = Array.from({ length: 1_000 }, (_, page) => view.rowAt(page * pageSize));
    expect(cached.filter((row) => row !== undefined)).toHaveLength(20);
    expect(view.rowAt(0)).toEqual({ id: 0 });
  });

  it("keeps the old rows until a refresh brings new ones", async () => {
    const rows = rowsOf(3);
    const { fetchPage } = serverOf(rows);
    const list = new PagedList<Row>();
    list.readFrom(fetchPage, keyOf);
    list.setVisible(0, 10);
    await settled();
    rows.unshift({ id: 99 });
    list.refresh();
    expect(list.view().count).toBe(3);
    await settled();
    expect(list.view().count).toBe(4);
    expect(list.find("0")).toBe(1);
  });

  it.each([
    ["inserted", 99, 100],
    ["deleted", 100, 99],
  ])("finds a followed row on the next page after a row was %s", async (change, id, place) => {
    const rows = rowsOf(1_000);
    const { fetchPage } = serverOf(rows);
    const list = new PagedList<Row>();
    list.readFrom(fetchPage, keyOf);
    const from = id - (id % pageSize);
    list.setVisible(from, from + 30);
    await settled();
    list.follow(String(id));
    const sought: (Row | undefined)[] = [];
    list.subscribe(() => sought.push(list.view().sought));
    if (change === "inserted") rows.unshift({ id: -1 });
    else rows.shift();
    list.refresh();
    await settled();
    expect(list.find(String(id))).toBe(place);
    // Until then the list has no other row in its place.
    expect(sought).toContainEqual({ id });
    expect(list.view().sought).toBeUndefined();
  });

  it("loads the pages where a new row may be", async () => {
    const rows = rowsOf(1_000);
    const { fetchPage } = serverOf(rows);
    const list = new PagedList<Row>();
    list.readFrom(fetchPage, keyOf);
    list.setVisible(0, 30);
    await settled();
    rows.splice(740, 0, { id: -1 });
    list.refresh();
    const looked = list.lookAt(Promise.resolve([740]));
    await list.loaded();
    await looked;
    expect(list.find("-1")).toBe(740);
    await list.lookAt(Promise.reject(new Error("no")));
    await list.loaded();
  });

  it("is as old as its oldest visible page", async () => {
    let nowMs = 1_000;
    const { fetchPage } = serverOf(rowsOf(1_000));
    const list = new PagedList<Row>(() => nowMs);
    list.readFrom(fetchPage, keyOf);
    list.setVisible(0, 30);
    await settled();
    nowMs = 2_000;
    list.setVisible(90, 120);
    await settled();
    expect(list.answeredAtMs()).toBe(1_000);
    list.refresh();
    await settled();
    expect(list.answeredAtMs()).toBe(2_000);
  });

  it("calls no listener after a refresh that changed nothing", async () => {
    const { fetchPage } = serverOf(rowsOf(3));
    const list = new PagedList<Row>();
    list.readFrom(fetchPage, keyOf);
    let calls = 0;
    list.subscribe(() => (calls += 1));
    list.setVisible(0, 10);
    await settled();
    const before = calls;
    list.refresh();
    await settled();
    expect(calls).toBe(before);
  });

  it("shows the old rows with a failure, and loses it with the next answer", async () => {
    const { fetchPage } = serverOf(rowsOf(3));
    let fail = false;
    const list = new PagedList<Row>();
    list.readFrom(
      (request) => (fail ? Promise.reject(new Error("no")) : fetchPage(request)),
      keyOf,
    );
    list.setVisible(0, 10);
    await settled();
    fail = true;
    list.refresh();
    await settled();
    expect(list.view().count).toBe(3);
    expect(list.view().failure?.message).toBe("An unexpected error occurred");
    fail = false;
    list.refresh();
    await settled();
    expect(list.view().failure).toBeUndefined();
  });

  it("tries a failed page again only with the next refresh", async () => {
    let asked = 0;
    const list = new PagedList<Row>();
    list.readFrom(() => {
      asked += 1;
      return Promise.reject(new Error("no"));
    }, keyOf);
    // A screen wants its rows each time that something changed.
    list.subscribe(() => list.setVisible(0, 10));
    list.setVisible(0, 10);
    await settled();
    expect(asked).toBe(1);
    list.refresh();
    await settled();
    expect(asked).toBe(2);
  });

  it("aborts its requests when it has no listener", async () => {
    let signal: AbortSignal | undefined;
    const list = new PagedList<Row>();
    list.readFrom((request) => {
      signal = request.signal;
      return new Promise(() => {});
    }, keyOf);
    const leave = list.subscribe(() => {});
    list.setVisible(0, 10);
    leave();
    await settled();
    expect(signal?.aborted).toBe(true);
  });
});

/** A server that sends at most `cap` rows for a page, and this sign that the list goes on. */
function cappedServer(
  rows: Row[],
  sign: "none" | "cursor" | "flag" | "total" | "both",
  cap: (start: number) => number,
) {
  const requests: PageRequest[] = [];
  const fetchPage = (request: PageRequest): Promise<Page<Row>> => {
    requests.push(request);
    const { page = 1, cursor, limit } = request;
    const size = Math.min(limit, cap(0));
    const start = cursor === undefined ? (page - 1) * size : Number(cursor);
    const end = start + Math.min(limit, cap(start));
    const isLast = end >= rows.length;
    const next = { nextCursor: isLast ? null : String(end) };
    const flag = { hasNextPage: !isLast };
    const signs = {
      none: {},
      cursor: isLast ? {} : next,
      flag,
      total: { total: rows.length },
      both: { ...next, ...flag },
    };
    return Promise.resolve({ items: rows.slice(start, end), ...signs[sign] });
  };
  return { requests, fetchPage };
}

async function readWhole(list: PagedList<Row>): Promise<void> {
  const leave = list.subscribe(() => {});
  for (let top = 0; top < 100; top += 10) {
    list.setVisible(top, top + 20);
    await settled();
  }
  leave();
}

describe("a platform that ends its pages early", () => {
  it.each(["none", "cursor", "flag", "total", "both"] as const)(
    "is read to its end where it caps its pages, with the sign: %s",
    async (sign) => {
      const { fetchPage } = cappedServer(rowsOf(47), sign, () => 7);
      const list = new PagedList<Row>();
      list.readFrom(fetchPage, keyOf);
      await readWhole(list);
      const view = list.view();
      expect(view).toMatchObject({ count: 47, counted: true });
      expect(Array.from({ length: 47 }, (_, at) => view.rowAt(at)?.id)).toEqual(
        rowsOf(47).map(({ id }) => id),
      );
      list.refresh();
      await settled();
      expect(list.view()).toMatchObject({ count: 47, counted: true });
    },
  );

  it("jumps to the right rows of a capped list that gives its total", async () => {
    const { fetchPage, requests } = cappedServer(rowsOf(1_000), "total", () => 20);
    const list = new PagedList<Row>();
    list.readFrom(fetchPage, keyOf);
    list.setVisible(0, 10);
    await settled();
    expect(list.view()).toMatchObject({ count: 1_000, counted: true });
    list.setVisible(985, 999);
    await settled();
    expect(list.view().rowAt(999)).toEqual({ id: 999 });
    expect(requests.at(-1)).toMatchObject({ page: 50, limit: 20 });
  });

  it("keeps the places of the rows where pages end at different lengths", async () => {
    // The pages end at a number of bytes: records from the 100th on are large.
    const { fetchPage } = cappedServer(rowsOf(260), "both", (start) => (start < 100 ? 100 : 9));
    const list = new PagedList<Row>();
    list.readFrom(fetchPage, keyOf);
    const leave = list.subscribe(() => {});
    for (let top = 0; top <= 240; top += 20) {
      list.setVisible(top, top + 20);
      await settled();
      const shown = Array.from({ length: 20 }, (_, at) => list.view().rowAt(top + at)?.id);
      expect(shown).toEqual(Array.from({ length: 20 }, (_, at) => top + at));
    }
    list.setVisible(245, 265);
    await settled();
    expect(list.view()).toMatchObject({ count: 260, counted: true });
    leave();
  });

  it("follows the cursor of an empty page, and ends where a page is repeated", async () => {
    const list = new PagedList<Row>();
    list.readFrom(
      ({ cursor }) =>
        Promise.resolve(
          cursor === undefined ? { items: [], nextCursor: "1" } : { items: rowsOf(3) },
        ),
      keyOf,
    );
    list.setVisible(0, 10);
    await settled();
    expect(list.view().rowAt(2)).toEqual({ id: 2 });
    expect(list.view()).toMatchObject({ count: 3, counted: true });
    // A platform that knows neither `page` nor `limit`.
    const whole = new PagedList<Row>();
    whole.readFrom(() => Promise.resolve({ items: rowsOf(250) }), keyOf);
    whole.setVisible(0, 30);
    await settled();
    whole.setVisible(220, 249);
    await settled();
    expect(whole.view().rowAt(249)).toEqual({ id: 249 });
    expect(whole.view()).toMatchObject({ count: 250, counted: true });
  });
});

describe("ListStore", () => {
  it("returns a cached list, and drops the least recently used one", () => {
    const store = new ListStore();
    const first = store.open("0");
    expect(store.open("0")).toBe(first);
    for (let key = 1; key <= 40; key += 1) store.open(String(key));
    expect(store.open("0")).not.toBe(first);
    const tenth = store.open("10");
    for (let key = 41; key <= 79; key += 1) store.open(String(key));
    expect(store.open("10")).toBe(tenth);
  });
});
