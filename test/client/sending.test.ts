import { describe, expect, it } from "vitest";
import type { Client } from "#client/index.ts";
import { clientOf, errorOf, serve } from "./servers.ts";

describe("ids", () => {
  it.each(["17", "PA/2026/0042", "a b", "ü%2F", "urn:x:1"])("sends %j encoded", async (id) => {
    const record = { id, version: 1, data: {} };
    const server = serve(() => Response.json(record));
    expect(await clientOf(server).useResources("Licence_Old").get(id)).toEqual(record);
    expect(server.seen[0]?.path.split("/").at(-1)).toBe(encodeURIComponent(id));
  });

  it.each(["", ".", "..", "a\nb"])("refuses %j before the request", async (id) => {
    const server = serve(() => Response.json({}));
    expect(await errorOf(clientOf(server).useResources("licence").get(id))).toMatchObject({
      code: "E305",
    });
    expect(server.seen).toHaveLength(0);
  });

  it("takes only UUIDs of workspaces", async () => {
    const server = serve(() => Response.json([]));
    const client = clientOf(server).forTenant("city");
    expect(await errorOf(client.useResources("licence").list())).toMatchObject({ code: "E305" });
    expect(await errorOf(client.useDocuments().list())).toMatchObject({ code: "E305" });
    expect(server.seen).toHaveLength(0);
  });
});

describe("unknown options", () => {
  it.each([
    ["of a record's call", (client: Client) => client.useResources("a").get("x", odd)],
    ["of a list", (client: Client) => client.useResources("a").list(odd)],
    ["of a message", (client: Client) => client.useChat("w").send("hi", odd)],
    [
      "of an upload",
      (client: Client) => client.useDocuments().upload([], { planningApplicationId: "a" }, odd),
    ],
    ["of any request", (client: Client) => client.request("GET", "/v4/identity/me", odd)],
    ["of a route", (client: Client) => client.identity.me(odd)],
  ])("%s are refused", async (_name, call) => {
    const server = serve(() => Response.json({}));
    expect(await errorOf(call(clientOf(server)))).toMatchObject({
      code: "E305",
      message: expect.stringContaining('"runtimeContext"'),
    });
    expect(server.seen).toHaveLength(0);
  });
});

const odd: object = { runtimeContext: {} };

describe("a list that says nothing of its next page", () => {
  const licences = (page: number): unknown[] =>
    [1, 2, 3].slice((page - 1) * 2, page * 2).map((id) => ({ id, version: 1, data: {} }));
  const pageOf = (path: string): number =>
    Number(new URLSearchParams(path.split("?")[1]).get("page"));

  it("is read to its end", async () => {
    const server = serve(({ path }) => Response.json(licences(pageOf(path))));
    const found = await Array.fromAsync(clientOf(server).useResources("licence").all());
    expect(found.map(({ id }) => id)).toEqual(["1", "2", "3"]);
    expect(server.seen.map(({ path }) => pageOf(path))).toEqual([1, 2, 3]);
  });

  it("ends where the deployment ignores page numbers", async () => {
    const server = serve(() => Response.json(licences(1)));
    const pages = await Array.fromAsync(clientOf(server).useResources("licence").pages());
    expect(pages.map(({ items }) => items.length)).toEqual([2]);
    expect(server.seen).toHaveLength(2);
  });

  it("ends at its total without another request", async () => {
    const server = serve(({ path }) => Response.json({ total: 3, data: licences(pageOf(path)) }));
    expect(await Array.fromAsync(clientOf(server).useResources("licence").all())).toHaveLength(3);
    expect(server.seen).toHaveLength(2);
  });
});

describe("a write whose answer does not have the record", () => {
  const record = { id: "17", version: 2, data: { status: "granted" } };

  const answers: readonly (() => Response)[] = [
    () => new Response(null, { status: 204 }),
    () => Response.json({ id: "17" }),
  ];
  it.each(answers.map((answer) => ({ answer })))("is read back", async ({ answer }) => {
    const server = serve(({ method }) => (method === "GET" ? Response.json(record) : answer()));
    const licences = clientOf(server).useResources("licence");
    expect(await licences.update("17", record.data, { version: 1 })).toEqual(record);
    expect(server.seen.map(({ method }) => method)).toEqual(["PUT", "GET"]);
  });

  it("fails for a page of HTML, without a second request", async () => {
    const server = serve(
      () => new Response("<p>sign in</p>", { headers: { "content-type": "text/html" } }),
    );
    const update = clientOf(server).useResources("licence").update("17", {}, { version: 1 });
    expect(await errorOf(update)).toMatchObject({ code: "E203" });
    expect(server.seen).toHaveLength(1);
  });
});

describe("health", () => {
  it.each([
    ["UP", "ok"],
    ["Degraded", "degraded"],
    ["DOWN", "down"],
    ["unhealthy", "down"],
  ])("%s means %s", async (status, wanted) => {
    const client = clientOf(serve(() => Response.json({ status })));
    expect(await client.health.resources()).toMatchObject({ status: wanted });
    const plain = { headers: { "content-type": "text/plain" } };
    const other = clientOf(serve(() => new Response(status, plain)));
    expect(await other.health.resources()).toMatchObject({ status: wanted });
  });
});
