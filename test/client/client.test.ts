import { describe, expect, it } from "vitest";
import { createClient } from "#client/index.ts";
import { clientOf, errorOf, serve, tenantId, token } from "./servers.ts";

const record = { id: "0198f0a0-2222-7000-8000-000000000002", version: 3, data: { a: 1 } };

describe("a typed call", () => {
  it("fills the workspace, sends the token and gives the parsed body", async () => {
    const server = serve(() => Response.json({ items: [record], hasNextPage: false }));
    const list = await clientOf(server).resources.list({
      params: { objectType: "planning-application" },
      query: { limit: 5, sort: "-created_at", count: true },
    });
    expect(list.items[0]?.version).toBe(3);
    expect(server.seen).toHaveLength(1);
    const [request] = server.seen;
    expect(request?.method).toBe("GET");
    expect(request?.path).toBe(
      `/v4/data/resources/${tenantId}/planning-application?limit=5&sort=-created_at&count=true`,
    );
    expect(request?.headers.get("authorization")).toBe(`Bearer ${token}`);
    expect(request?.headers.get("x-tenant-id")).toBe(tenantId);
  });

  it("keeps members that the contract does not know", async () => {
    const server = serve(() => Response.json({ ...record, etag: "W/1", data: { a: 1, b: [2] } }));
    const found = await clientOf(server).resources.get({
      params: { objectType: "licence", id: record.id },
    });
    expect(found).toEqual({ ...record, etag: "W/1", data: { a: 1, b: [2] } });
  });

  it("uses another workspace for one call, and for a whole client", async () => {
    const other = "0198f0a0-9999-7000-8000-000000000009";
    const server = serve(() => Response.json({ items: [] }));
    const client = clientOf(server);
    await client.documents.list({ tenantId: other });
    await client.forTenant(other).documents.list();
    expect(server.seen.map(({ headers }) => headers.get("x-tenant-id"))).toEqual([other, other]);
    expect(client.tenantId).toBe(tenantId);
  });

  it("sends the workspace of tenant_id as the header too", async () => {
    const other = "0198f0a0-9999-7000-8000-000000000009";
    const server = serve(() => Response.json({ status: "available", items: [] }));
    const { workflows } = clientOf(server);
    const query = { tenant_id: other };
    await workflows.status({ params: { workflowKey: "advice" }, query });
    await workflows.readiness({ query });
    await workflows.request({ body: { tenant_id: other, workflow_key: "advice" } });
    expect(server.seen.map(({ headers }) => headers.get("x-tenant-id"))).toEqual([
      other,
      other,
      other,
    ]);
  });

  it("sends neither token nor workspace on a public route", async () => {
    const server = serve(() => Response.json({ status: "ok" }));
    const client = createClient({
      baseUrl: server.url,
      token: () => Promise.reject(new Error("no")),
    });
    expect((await client.health.resources()).status).toBe("ok");
    expect(server.seen[0]?.headers.has("authorization")).toBe(false);
  });

  it("sends a fresh idempotency key with every POST that creates, and none with others", async () => {
    const server = serve(({ method }) =>
      Response.json(record, { status: method === "POST" ? 201 : 200 }),
    );
    const resources = clientOf(server).useResources("licence");
    await resources.create({ a: 1 });
    await resources.create({ a: 1 });
    await resources.create({ a: 1 }, { idempotencyKey: "mine" });
    await resources.update(record.id, { a: 2 }, { version: 3 });
    const keys = server.seen.map(({ headers }) => headers.get("idempotency-key"));
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys[2]).toBe("mine");
    expect(keys[3]).toBeNull();
  });

  it("keeps a path prefix of the base URL", async () => {
    const server = serve(() => Response.json({ status: "ok" }));
    await createClient({ baseUrl: `${server.url}/gateway/` }).health.resources();
    expect(server.seen[0]?.path).toBe("/gateway/v4/data/resources/health");
  });

  it("returns the unread response of raw with any status", async () => {
    const server = serve(() => new Response("gone", { status: 410, headers: { "x-mark": "1" } }));
    const response = await clientOf(server).documents.job.raw({
      params: { jobId: record.id },
    });
    expect([response.status, response.headers.get("x-mark"), response.bodyUsed]).toEqual([
      410,
      "1",
      false,
    ]);
    expect(await response.text()).toBe("gone");
  });

  it("can be awaited, spread and printed without calling anything", async () => {
    const server = serve(() => Response.json({}));
    const client = await Promise.resolve({ ...clientOf(server) });
    expect(typeof client.resources.list).toBe("function");
    expect(String(Bun.inspect(client))).not.toContain(token);
    expect(server.seen).toHaveLength(0);
  });
});

describe("what is refused before the network", () => {
  it("an option that a client does not have", () => {
    const misspelt = { baseUrl: "http://127.0.0.1:9", tenantID: tenantId };
    expect(() => createClient(misspelt)).toThrow(/"tenantID" is not an option of createClient/);
    expect(() => createClient({ baseUrl: "http://127.0.0.1:9", token: undefined })).not.toThrow();
  });

  const server = { url: "http://127.0.0.1:9" };
  const client = createClient({ baseUrl: server.url, token, tenantId });
  const params = { objectType: "licence" };

  it.each([
    [
      "a limit out of bounds",
      () => client.resources.list({ params, query: { limit: 501 } }),
      "E305",
      "#/query/limit",
    ],
    [
      "a sort that is no field list",
      () => client.resources.list({ params, query: { sort: "a b" } }),
      "E305",
      "#/query/sort",
    ],
    [
      "an empty id",
      () => client.resources.get({ params: { ...params, id: "" } }),
      "E305",
      "#/path/id",
    ],
    [
      "a step up the path",
      () => client.resources.list({ params: { objectType: ".." } }),
      "E305",
      "#/path/objectType",
    ],
    [
      "an unknown query name",
      () => client.resources.list({ params, query: Object.assign({ limit: 1 }, { limt: 1 }) }),
      "E305",
      "#/query/limt",
    ],
    [
      "a body at its member",
      () =>
        client.resources.update({
          params: { ...params, id: record.id },
          body: { data: {}, version: 0 },
        }),
      "E302",
      "#/version",
    ],
    [
      "an unknown member of a strict body",
      () =>
        client.resources.update({
          params: { ...params, id: record.id },
          body: Object.assign({ data: {}, version: 1 }, { x: 1 }),
        }),
      "E302",
      "x",
    ],
    [
      "a header field with credentials",
      () => client.resources.list({ params, headers: { Authorization: "x" } }),
      "E305",
      "Authorization",
    ],
    [
      "a header field with a line break",
      () => client.resources.list({ params, headers: { "x-a": "a\r\nb: c" } }),
      "E305",
      "a header has",
    ],
    [
      "a workspace that can't be sent",
      () => client.resources.list({ params, tenantId: "a\nb" }),
      "E305",
      "tenantId",
    ],
    [
      "a key that can't be sent",
      () => client.resources.create({ params, body: {}, idempotencyKey: "a b" }),
      "E305",
      "idempotency key",
    ],
  ] as const)("%s", async (_name, call, code, words) => {
    const error = await errorOf(call());
    expect(error).toMatchObject({ code, exitCode: 1 });
    expect(String(error)).toContain(words);
  });

  it("a missing workspace", async () => {
    const none = createClient({ baseUrl: server.url, token });
    expect(await errorOf(none.resources.list({ params }))).toMatchObject({ code: "E303" });
  });

  it("a missing token is E101, with the exit code of sign-in", async () => {
    const none = createClient({ baseUrl: server.url, tenantId });
    expect(await errorOf(none.resources.list({ params }))).toMatchObject({
      code: "E101",
      exitCode: 4,
    });
  });

  it("a token that a header field can't carry, without printing it", async () => {
    const broken = createClient({ baseUrl: server.url, token: "secret\nvalue", tenantId });
    const error = await errorOf(broken.resources.list({ params }));
    expect(error).toMatchObject({ code: "E103" });
    expect(Bun.inspect(error)).not.toContain("secret");
  });

  it.each([
    "ftp://host",
    "not an address",
    "http://user:secret@host",
    "http://host/?a=1",
    "http://host/#a",
  ])("the base URL %s", (baseUrl) => {
    let caught: unknown;
    try {
      createClient({ baseUrl });
    } catch (error) {
      caught = error;
    }
    expect(caught).toMatchObject({ code: "E305" });
    expect(Bun.inspect(caught)).not.toContain("secret");
  });
});

describe("useResources", () => {
  it("fetches the version when an update names none", async () => {
    const server = serve(() => Response.json(record));
    await clientOf(server).useResources("licence").update(record.id, { a: 9 });
    expect(server.seen.map(({ method }) => method)).toEqual(["GET", "PUT"]);
    expect(JSON.parse(server.seen[1]?.body ?? "")).toEqual({ data: { a: 9 }, version: 3 });
  });

  it("reads results of a search without mode and scores", async () => {
    const found = { type: "licence", id: record.id, score: 1, data: {} };
    const server = serve(() => Response.json({ results: [found] }));
    const { results } = await clientOf(server).useResources("licence").search("boat");
    expect(results).toEqual([found]);
  });

  it("searches the records of its type", async () => {
    const found = { type: "licence", id: record.id, score: 1, scores: { vector: 1 }, data: {} };
    const server = serve(() => Response.json({ results: [found], mode: "vector" }));
    const resources = clientOf(server).useResources("licence");
    const where = { status: "open" };
    const answer = await resources.search("boat", { mode: "vector", limit: 5, where });
    expect(answer.results[0]?.scores?.vector).toBe(1);
    const [request] = server.seen;
    expect(request).toMatchObject({ method: "POST", path: expect.stringMatching(/\/search$/) });
    expect(JSON.parse(request?.body ?? "")).toEqual({
      query: "boat",
      types: ["licence"],
      mode: "vector",
      limit: 5,
      where,
    });
  });

  it("walks all pages by cursor, and stops asking when the loop is left", async () => {
    const server = serve((request) => {
      const cursor = new URLSearchParams(request.path.split("?")[1]).get("cursor") ?? "0";
      const start = Number(cursor);
      const items = [0, 1].map((offset) => ({ ...record, id: `r${start + offset}` }));
      return Response.json({
        items,
        hasNextPage: start < 4,
        nextCursor: start < 4 ? String(start + 2) : null,
      });
    });
    const resources = clientOf(server).useResources("licence");
    const all: string[] = [];
    for await (const one of resources.all({ pageSize: 2, where: { a: 1 } })) all.push(one.id);
    expect(all).toEqual(["r0", "r1", "r2", "r3", "r4", "r5"]);
    expect(server.seen).toHaveLength(3);
    expect(server.seen.every(({ path }) => path.includes("where=%7B%22a%22%3A1%7D"))).toBe(true);
    for await (const one of resources.all({ pageSize: 2 })) {
      expect(one.id).toBe("r0");
      break;
    }
    expect(server.seen).toHaveLength(4);
  });

  it("walks page by page where a deployment has no cursors", async () => {
    const server = serve((request) => {
      const page = Number(new URLSearchParams(request.path.split("?")[1]).get("page"));
      return Response.json({ items: [{ ...record, id: `p${page}` }], hasNextPage: page < 3 });
    });
    const all: string[] = [];
    for await (const one of clientOf(server).useResources("licence").all()) all.push(one.id);
    expect(all).toEqual(["p1", "p2", "p3"]);
  });

  const circles: [string, (count: number) => object][] = [
    ["names the same cursor again", () => ({ nextCursor: "same" })],
    ["runs in a circle", (count) => ({ nextCursor: `${count < 3 ? -count : count % 5}` })],
    ["has another page than was asked for", () => ({ page: 1 })],
    ["has no cursors and passes over page numbers", () => ({})],
  ];
  it.each(circles)("ends with an error when the list %s", async (_what, place) => {
    const server = serve((_request, count) =>
      Response.json({ items: [record], hasNextPage: true, ...place(count) }),
    );
    const read = async () => {
      for await (const _one of clientOf(server).useResources("licence").all()) {
        if (server.seen.length > 100) return;
      }
    };
    expect(await errorOf(read())).toMatchObject({ code: "E203" });
    expect(server.seen.length).toBeLessThanOrEqual(20);
  });

  it("resolves a delete to nothing", async () => {
    const server = serve(() => new Response(null, { status: 204 }));
    expect(await clientOf(server).useResources("licence").delete(record.id)).toBeUndefined();
  });
});

it("reads ids of workspaces in lower case, and sends other ids as they are", async () => {
  const id = "0198F0A0-1111-7000-8000-00000000000A";
  const server = serve(() => Response.json({ items: [{ id, slug: "planning" }] }));
  const client = clientOf(server);
  const { items } = await client.identity.tenants();
  expect(items.map((one) => one.id)).toEqual([id.toLowerCase()]);
  await client
    .useResources("licence")
    .get(id)
    .catch(() => undefined);
  expect(server.seen[1]?.path).toContain(id);
});

it("a parameter that is refused is quoted, with the line end that a script brought along", async () => {
  const client = createClient({ baseUrl: "http://127.0.0.1:1", token: "t", tenantId });
  const id = "01890000-0000-7000-8000-000000000000\r";
  await expect(client.useResources("tree").get(id)).rejects.toMatchObject({
    code: "E305",
    message: "Invalid input: #/path/id must not have control characters",
    hint: 'Given is "01890000-0000-7000-8000-000000000000\\r"',
  });
});
