import { describe, expect, it } from "vitest";
import { exportObjectTypes } from "#client/index.ts";
import { exportLimits } from "#client/records/object-types-export.ts";
import { clientOf, errorOf, problem, serve, tenantId, type SeenRequest } from "../servers.ts";

interface StoredType {
  readonly id: string;
  readonly [member: string]: unknown;
}

function type(number: number, members: Readonly<Record<string, unknown>> = {}): StoredType {
  const id = `0198f0a0-0000-7000-8000-${String(number).padStart(12, "0")}`;
  return {
    id,
    name: `Type${number}`,
    slug: `type-${number}`,
    properties: {},
    tenant_id: tenantId,
    ...members,
  };
}

function many(count: number): StoredType[] {
  return Array.from({ length: count }, (_none, index) => type(index + 1));
}

/** Answers pages of 100 by cursor; `of` may answer another list, or another page, in scan 2. */
function paged(
  of: (scan: number) => readonly StoredType[],
  change: (page: Record<string, unknown>, request: SeenRequest, scan: number) => unknown = (page) =>
    page,
) {
  let scan = 0;
  return serve((request) => {
    const query = new URLSearchParams(request.path.split("?")[1]);
    const cursor = query.get("cursor");
    if (cursor === null) scan += 1;
    const start = Number(cursor ?? 0);
    const all = of(scan);
    const end = start + 100;
    const page = {
      items: all.slice(start, end),
      hasNextPage: end < all.length,
      nextCursor: end < all.length ? String(end) : null,
      total: all.length,
    };
    return Response.json(change(page, request, scan));
  });
}

async function failure(server: { readonly url: string }, limits = {}): Promise<string> {
  const error = await errorOf(exportObjectTypes(clientOf(server), { limits }));
  expect(error).toMatchObject({ code: "E203" });
  return String(error).replace(/^.*read whole: /, "");
}

describe("an export", () => {
  it("reads all pages twice and gives the types in ID order", async () => {
    const server = paged(() => many(250));
    const pages: string[] = [];
    const types = await exportObjectTypes(clientOf(server), {
      onPage: (scan, count) => pages.push(`${scan}:${count}`),
    });
    expect(types).toHaveLength(250);
    expect(types[0]?.slug).toBe("type-1");
    expect(types.at(-1)?.slug).toBe("type-250");
    expect(pages).toEqual(["1:100", "1:200", "1:250", "2:100", "2:200", "2:250"]);
    expect(server.seen).toHaveLength(6);
    expect(
      server.seen.every(
        ({ method, headers }) => method === "GET" && headers.get("x-tenant-id") === tenantId,
      ),
    ).toBe(true);
  });

  it("of a workspace without types is empty", async () => {
    expect(await exportObjectTypes(clientOf(paged(() => [])))).toEqual([]);
  });

  it("accepts legacy records without a workspace marker", async () => {
    const legacy = { ...type(1), tenant_id: undefined };
    expect(await exportObjectTypes(clientOf(paged(() => [legacy])))).toHaveLength(1);
  });

  it("accepts another order of members and another spelling of the workspace", async () => {
    const compact = tenantId.replaceAll("-", "").toUpperCase();
    const one = type(1, { tenant_id: compact });
    const turned = Object.fromEntries(Object.entries(one).toReversed());
    const server = paged((scan) => (scan === 1 ? [one] : [{ ...turned, id: one.id }]));
    expect(await exportObjectTypes(clientOf(server))).toHaveLength(1);
  });

  it("reads page by page where there are no cursors", async () => {
    const all = many(150);
    const server = serve((request) => {
      const page = Number(new URLSearchParams(request.path.split("?")[1]).get("page"));
      const items = all.slice((page - 1) * 100, page * 100);
      return Response.json({ items, page, limit: 100, hasNextPage: page < 2 });
    });
    expect(await exportObjectTypes(clientOf(server))).toHaveLength(150);
  });

  it("reads on where a deployment gives smaller pages, and does not say that there are more", async () => {
    const all = many(45);
    const server = serve((request) => {
      const page = Number(new URLSearchParams(request.path.split("?")[1]).get("page"));
      return Response.json({ items: all.slice((page - 1) * 20, page * 20), page, limit: 20 });
    });
    expect(await exportObjectTypes(clientOf(server))).toHaveLength(45);
    // Each scan ends at an empty page.
    expect(server.seen).toHaveLength(8);
  });
});

describe("an export fails on", () => {
  const cases: readonly (readonly [string, () => { readonly url: string }, string])[] = [
    ["a type that comes twice", () => paged(() => [type(1), type(1)]), "came twice"],
    [
      "a type that comes twice on different pages",
      () => paged(() => [...many(100), type(100), type(101)]),
      "came twice",
    ],
    ["types out of ID order", () => paged(() => [type(2), type(1)]), "not in ID order"],
    [
      "a record of another workspace",
      () => paged(() => [type(1, { tenant_id: "0198f0a0-9999-7000-8000-000000000009" })]),
      "belongs to another workspace",
    ],
    [
      "a foreign marker under its other name",
      () => paged(() => [type(1, { tenantId: "0198f0a0-9999-7000-8000-000000000009" })]),
      "belongs to another workspace",
    ],
    [
      "a marker that is no ID",
      () => paged(() => [type(1, { tenant_id: "northwind" })]),
      "malformed workspace marker",
    ],
    [
      "a foreign marker under its third name",
      () => paged(() => [type(1, { tenant: "0198f0a0-9999-7000-8000-000000000009" })]),
      "belongs to another workspace",
    ],
    [
      "a marker that only looks like an ID",
      () => paged(() => [type(1, { tenant_id: "0198f0a0-0000-7000-8000-0000000000-1" })]),
      "malformed workspace marker",
    ],
    [
      "an empty marker",
      () => paged(() => [type(1, { tenant_id: "" })]),
      "malformed workspace marker",
    ],
    [
      "a marker that is null",
      () => paged(() => [type(1, { tenantId: null })]),
      "malformed workspace marker",
    ],
    [
      "a marker that is no text",
      () => paged(() => [type(1, { tenant_id: 7 })]),
      `${type(1).id} has a malformed workspace marker`,
    ],
    [
      "a record that is no type",
      () => paged(() => [type(1), type(2, { slug: null })]),
      `${type(2).id} is not an Object Type: it is invalid at #/slug`,
    ],
    [
      "what is no record at all",
      () => serve(() => Response.json({ items: [null] })),
      "record 1 is not an Object Type: it is invalid at #",
    ],
    [
      "a page that nests too deep",
      () => serve(() => new Response("[".repeat(2000) + "]".repeat(2000))),
      "a page nests deeper than 1000 levels",
    ],
    [
      "a total that changes",
      () =>
        paged(
          () => many(150),
          (page) => ({ ...page, total: page["hasNextPage"] === true ? 150 : 151 }),
        ),
      "the total changed",
    ],
    [
      "a scan that ends early",
      () =>
        paged(
          () => many(150),
          (page) => ({ ...page, hasNextPage: false, nextCursor: null }),
        ),
      "100 of 150 types came",
    ],
    [
      "a last page that names a next one",
      () =>
        paged(
          () => many(2),
          (page) => ({ ...page, nextCursor: "more" }),
        ),
      "has a next cursor",
    ],
    [
      "an empty page with a next one",
      () =>
        paged(
          () => [],
          (page) => ({ ...page, hasNextPage: true, nextCursor: "100" }),
        ),
      "a page is empty",
    ],
    [
      "a cursor that runs in a circle",
      () =>
        paged(
          () => many(150),
          (page) => ({ ...page, hasNextPage: true, nextCursor: "100" }),
        ),
      "a page repeats its cursor",
    ],
    [
      "another page than the one asked for",
      () =>
        paged(
          () => many(2),
          (page) => ({ ...page, page: 7 }),
        ),
      "another page came",
    ],
    [
      "a type that changes between the scans",
      () => paged((scan) => [type(1), type(2, { version: scan })]),
      "differ in 1 types",
    ],
    [
      "a type that is gone in the second scan",
      () => paged((scan) => many(4 - scan)),
      "differ in 1 types",
    ],
    [
      "a type that is new in the second scan",
      () => paged((scan) => many(2 + scan)),
      "differ in 1 types",
    ],
    [
      "a page without items",
      () => serve(() => Response.json({ hasNextPage: false })),
      "has no items",
    ],
    ["a page that is no JSON", () => serve(() => new Response("<html>")), "not JSON"],
  ];

  it.each(cases)("%s", async (_name, server, words) => {
    expect(await failure(server())).toContain(words);
  });

  it("more pages than the limit", async () => {
    const endless = serve((request) => {
      const cursor = Number(new URLSearchParams(request.path.split("?")[1]).get("cursor") ?? 0);
      return Response.json({
        items: [type(cursor + 1)],
        hasNextPage: true,
        nextCursor: String(cursor + 1),
      });
    });
    expect(await failure(endless, { pagesPerScan: 30 })).toContain("more than 30 pages");
    expect(endless.seen).toHaveLength(30);
  });

  it("the limits of the specification, where no others are given", async () => {
    expect(exportLimits).toEqual({
      pagesPerScan: 1_000,
      bytes: 64 * 1024 * 1024,
      durationMs: 120_000,
    });
    let page = 0;
    const endless = serve(() => {
      page += 1;
      return Response.json({ items: [type(page)], hasNextPage: true, nextCursor: String(page) });
    });
    expect(await failure(endless, {})).toContain("more than 1000 pages");
    expect(endless.seen).toHaveLength(1_000);
  });

  it("more bytes than the limit, counted over both scans", async () => {
    const padded = type(1, { description: "x".repeat(600) });
    const server = paged(() => [padded]);
    const size = Number((await fetch(`${server.url}/v4/x`)).headers.get("content-length"));
    expect(
      await exportObjectTypes(clientOf(paged(() => [padded])), { limits: { bytes: 2 * size } }),
    ).toHaveLength(1);
    expect(
      await failure(
        paged(() => [padded]),
        { bytes: 2 * size - 1 },
      ),
    ).toContain("larger than");
  });

  it("bytes that only decompression shows", async () => {
    const text = JSON.stringify({
      items: [type(1, { description: "x".repeat(1_000_000) })],
      hasNextPage: false,
    });
    const server = serve(
      () =>
        new Response(Bun.gzipSync(text), {
          headers: { "content-type": "application/json", "content-encoding": "gzip" },
        }),
    );
    expect(await failure(server, { bytes: 100_000 })).toContain("larger than 100000 bytes");
  });

  it("more time than the limit", async () => {
    const slow = serve(async () => {
      await Bun.sleep(2000);
      return Response.json({ items: [] });
    });
    expect(await failure(slow, { durationMs: 100 })).toContain("more than 0.1 seconds");
  });

  it("a refusal of the platform, with its error", async () => {
    const server = serve(() => problem(403, "permission-denied"));
    expect(await errorOf(exportObjectTypes(clientOf(server)))).toMatchObject({ code: "E204" });
  });
});
