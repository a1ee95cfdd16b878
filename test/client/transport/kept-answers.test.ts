import { describe, expect, it } from "vitest";
import { createClient } from "#client/index.ts";
import { serve, tenantId, token } from "../servers.ts";

/** A list with an entity tag, as many deployments have; `tag` may be empty. */
function listServer(state: { tag: string; items: unknown[] }) {
  return serve((request) => {
    const headers = state.tag === "" ? {} : { etag: state.tag };
    return state.tag !== "" && request.headers.get("if-none-match") === state.tag
      ? new Response(null, { status: 304, headers })
      : Response.json({ items: state.items }, { headers });
  });
}

function clientOf(server: { readonly url: string }, keptAnswers: number) {
  return createClient({ baseUrl: server.url, token, tenantId, keptAnswers });
}

describe("kept answers", () => {
  it("are asked for again with their tag, and are the same object while unchanged", async () => {
    const state = { tag: 'W/"a"', items: [{ documentId: "1" }] };
    const server = listServer(state);
    const client = clientOf(server, 10);
    const first = await client.documents.list();
    expect(await client.documents.list()).toBe(first);
    expect(server.seen.map(({ headers }) => headers.get("if-none-match"))).toEqual([null, 'W/"a"']);
    Object.assign(state, { tag: 'W/"b"', items: [{ documentId: "2" }] });
    expect((await client.documents.list()).items[0]?.documentId).toBe("2");
  });

  it("belong to one question and workspace", async () => {
    const server = listServer({ tag: '"a"', items: [] });
    const client = clientOf(server, 10);
    await client.documents.list();
    await client.documents.list({ query: { limit: 5 } });
    await client.documents.list({ tenantId: "0198f0a0-9999-7000-8000-000000000009" });
    await client.documents.list({ headers: { "if-none-match": '"mine"' } });
    expect(server.seen.map(({ headers }) => headers.get("if-none-match"))).toEqual([
      null,
      null,
      null,
      '"mine"',
    ]);
  });

  it.each([
    ["without tags", "", 10],
    ["where none are wanted", '"a"', 0],
  ])("are none %s", async (_, tag, kept) => {
    const server = listServer({ tag, items: [] });
    const client = clientOf(server, kept);
    await client.documents.list();
    await client.documents.list();
    expect(server.seen.map(({ headers }) => headers.get("if-none-match"))).toEqual([null, null]);
  });

  it("are at most as many as wanted, the oldest go first", async () => {
    const server = listServer({ tag: '"a"', items: [] });
    const client = clientOf(server, 2);
    for (const limit of [1, 2, 3, 1, 3]) await client.documents.list({ query: { limit } });
    expect(server.seen.map(({ headers }) => headers.get("if-none-match"))).toEqual([
      null,
      null,
      null,
      null,
      '"a"',
    ]);
  });
});
