import { describe, expect, it } from "vitest";
import type { Client } from "#client/index.ts";
import { clientOf, errorOf, serve, tenantId } from "../servers.ts";

/** Answers of deployments that implement the specification with their own choices. */

const licence = { objectType: "licence" };

/** The value that a call reads from an answer. */
async function read<Value>(
  answer: unknown,
  call: (client: Client) => Promise<Value>,
): Promise<Value> {
  return await call(clientOf(serve(() => Response.json(answer))));
}

describe("lists", () => {
  const records = [
    { id: "r/1", version: 1, data: { a: 1 } },
    { id: 2, version: 3, data: {} },
  ];

  it.each([
    ["a bare array", records],
    ["data", { data: records }],
    ["results with counts", { results: records, total: 2 }],
    ["a list within data", { data: { items: records } }],
    ["the name of the thing", { licences: records, took: 4 }],
    ["spelt otherwise", { Items: records, warnings: [] }],
  ])("%s", async (_name, answer) => {
    const { items } = await read(answer, (client) => client.resources.list({ params: licence }));
    expect(items.map(({ id, version }) => [id, version])).toEqual([
      ["r/1", 1],
      ["2", 3],
    ]);
    // The reading does not change the items.
    expect(JSON.parse(JSON.stringify(items))).toEqual(records);
  });

  it.each([
    [{ data: records, pagination: { page: "2", next_page_token: "n", has_more: true, total: 9 } }],
    [{ items: records, pageNumber: 2, nextPageToken: "n", hasMore: true, totalCount: 9 }],
  ])("with its place among other pages: %j", async (answer) => {
    const list = await read(answer, (client) => client.resources.list({ params: licence }));
    expect(list).toMatchObject({ page: 2, nextCursor: "n", hasNextPage: true, total: 9 });
  });

  it.each([{ message: "ok" }, {}, { items: [{ id: "" }] }, { items: [{ id: "x" }] }, "text"])(
    "%j is no list of records",
    async (answer) => {
      const error = errorOf(read(answer, (client) => client.resources.list({ params: licence })));
      expect(await error).toMatchObject({ code: "E203", status: 200 });
    },
  );
});

describe("a record", () => {
  it.each([
    ["in an envelope", { data: { id: "x", version: 2, data: { data: 1 } } }],
    ["with other types in what is optional", { id: "x", version: 2, data: {}, created_at: null }],
    ["with a version in text", { id: "x", version: "2", data: {} }],
    ["with its type as an object", { id: "x", version: 2, data: {}, type: { slug: "licence" } }],
  ])("%s", async (_name, answer) => {
    const record = await read(answer, (client) => client.useResources("licence").get("x"));
    expect(record).toMatchObject({ id: "x", version: 2 });
    expect(record.type).toBeUndefined();
  });

  it("keeps unknown members, and is shown as it was sent", async () => {
    const sent = { id: 7, version: 1, data: {}, etag: "abc", created_by: { name: "Ada" } };
    const record = await read(sent, (client) => client.useResources("licence").get("7"));
    expect(record).toEqual({ id: "7", version: 1, data: {}, etag: "abc" });
    expect(JSON.parse(JSON.stringify(record))).toEqual(sent);
  });

  it.each([
    ["without an id", { version: 1, data: {} }],
    ["without a version", { id: "x", data: {} }],
    ["without data", { id: "x", version: 1 }],
    ["as a page for people", "<html>"],
  ])("%s does not fit", async (_name, answer) => {
    const call = read(answer, (client) => client.useResources("licence").get("x"));
    expect(await errorOf(call)).toMatchObject({ code: "E203", status: 200 });
  });
});

describe("Object Types", () => {
  const schemaOf = async (type: unknown) =>
    (await read([type], (client) => client.objectTypes.schema())).objectTypes[0];

  it("need only a slug", async () => {
    expect(await schemaOf({ slug: "Legacy_Type" })).toMatchObject({
      slug: "Legacy_Type",
      properties: {},
    });
    expect(await errorOf(schemaOf({ name: "Tree" }))).toMatchObject({ code: "E203" });
  });

  it("may have null for lists, links without names and properties of other kinds", async () => {
    const bare = await schemaOf({ slug: "a", linkTypes: null, actions: null, properties: null });
    expect(bare).toEqual({ slug: "a", id: "", name: "", properties: {} });
    const odd = await schemaOf({
      slug: "a",
      linkTypes: [{ targetObjectType: "b" }, "c"],
      properties: { cost: { type: "money", unit: "EUR" }, note: "text" },
    });
    expect(odd?.linkTypes).toEqual([
      { targetObjectType: "b", name: "" },
      { targetObjectType: "c", name: "" },
    ]);
    expect(odd?.properties).toEqual({
      cost: { type: "money", unit: "EUR" },
      note: { type: "text" },
    });
  });

  it("may list their properties", async () => {
    const type = await schemaOf({ slug: "a", properties: [{ name: "title", type: "string" }] });
    expect(type?.properties).toEqual({ title: { name: "title", type: "string" } });
  });
});

describe("jobs and documents", () => {
  it("a job needs only its id, and its stages no names", async () => {
    const job = async (answer: unknown) =>
      await read(answer, (client) => client.useDocuments().job("job:1"));
    expect(await job({ jobId: "job:1" })).toEqual({ jobId: "job:1", status: "" });
    expect(await job({ job_id: "j", state: "Done", stages: [{ status: "ok" }, "store"] })).toEqual({
      job_id: "j",
      jobId: "j",
      state: "Done",
      status: "Done",
      stages: [
        { status: "ok", name: "" },
        { name: "store", status: "" },
      ],
    });
    expect(await job({ jobId: "j", error: "disk full" })).toMatchObject({
      error: { message: "disk full" },
    });
    expect(await errorOf(job({ status: "done" }))).toMatchObject({ code: "E203" });
  });

  it.each(["1e999", '{"jobId":1e999}'])("%s names no job", async (body) => {
    const headers = { "content-type": "application/json" };
    const client = clientOf(serve(() => new Response(body, { headers })));
    expect(await errorOf(client.useDocuments().job("job:1"))).toMatchObject({ code: "E203" });
  });

  it("an upload's answer needs only the job's id", async () => {
    const server = serve(() => Response.json({ job: { jobId: 17 } }, { status: 202 }));
    const content = new Blob(["x"]);
    const sent = await clientOf(server)
      .useDocuments()
      .upload({ filename: "a", content }, { planningApplicationId: "PA/2026/1" });
    expect((await sent.accepted()).jobId).toBe("17");
    expect(server.seen[0]?.body).toContain("PA/2026/1");
  });

  it("a record may have any members", async () => {
    const record = await read({ number: "DOC-7", classification: "letter", stars: 3 }, (client) =>
      client.useDocuments().record("DOC-7"),
    );
    expect(record).toMatchObject({ documentId: "DOC-7", documentNumber: "DOC-7", stars: 3 });
    expect(JSON.stringify(record)).toContain('"classification":"letter"');
  });
});

describe("other answers", () => {
  it("of a batch in other forms", async () => {
    const batch = async (answer: unknown, count = 2) =>
      await read(answer, (client) =>
        client.useResources("licence").batchCreate(Array.from({ length: count }, () => ({ a: 1 }))),
      );
    const made = [
      { id: "a", version: 1, data: {} },
      { id: "b", version: 1, data: {} },
    ];
    for (const answer of [made, { items: made }, { results: made }, ["a", "b"]]) {
      expect(await batch(answer)).toMatchObject({
        results: [
          { index: 0, id: "a", status: 200 },
          { index: 1, id: "b", status: 200 },
        ],
        succeeded: 2,
        failed: 0,
      });
    }
    const mixed = [
      { status: "created", id: "a" },
      { status: "failed", error: "no title" },
    ];
    expect(await batch(mixed)).toMatchObject({ succeeded: 1, failed: 1 });
    expect(await errorOf(batch(["a"]))).toMatchObject({ code: "E203" });
    expect(await batch({ successCount: 2, errorCount: 0 })).toMatchObject({ succeeded: 2 });
  });

  it.each([{}, { data: { status: "done" } }, { ticket: 7 }])(
    "%j of a batch, which says nothing of its items, is a success of all",
    async (answer) => {
      const made = read(answer, (client) => client.useResources("licence").batchCreate([{ a: 1 }]));
      expect(await made).toMatchObject({ succeeded: 1, results: [{ index: 0, status: 200 }] });
    },
  );

  it.each([[[]], [{ results: [] }], [{ items: [], succeeded: 0 }]])(
    "%j reports no outcome of a batch",
    async (answer) => {
      const made = read(answer, (client) => client.useResources("licence").batchCreate([{ a: 1 }]));
      expect(await errorOf(made)).toMatchObject({
        code: "E203",
        message: expect.stringContaining("the response reports 0 of 1 item"),
        hint: expect.stringContaining("The outcome is unknown"),
      });
    },
  );

  it("of workspaces in other names", async () => {
    const { items } = await read(
      { tenants: [{ tenantId: tenantId.toUpperCase(), slug: "Big_City", name: "Big City" }] },
      (client) => client.identity.tenants(),
    );
    expect(items[0]).toMatchObject({ id: tenantId, slug: "Big_City", displayName: "Big City" });
  });

  it("of a chat as plain text", async () => {
    const client = clientOf(
      serve(() => new Response("Six weeks.\n", { headers: { "content-type": "text/plain" } })),
    );
    expect((await client.useChat("w").send("When?")).message.content).toBe("Six weeks.\n");
  });

  it("of a write as plain text has what was sent; a page of HTML is no success", async () => {
    const body = { value: "officers", role: "tenant-staff" } as const;
    const set = async (text: string, type: string) => {
      const server = serve(() => new Response(text, { headers: { "content-type": type } }));
      return await clientOf(server).groupRules.set({ body });
    };
    expect(await set("stored", "text/plain")).toMatchObject({ ruleId: "" });
    expect(await errorOf(set("<p>Welcome!", "text/html"))).toMatchObject({
      code: "E203",
      message: expect.stringContaining("the response is"),
      hint: expect.stringContaining("The outcome is unknown"),
    });
  });

  it.each([
    { ok: false },
    { success: "no", error: { message: "disk full" } },
    { errors: ["disk full"] },
    { complete: false },
    { failed: 2 },
  ])("%j of a write is a failure, whatever the status says", async (answer) => {
    const writes: ((client: Client) => Promise<unknown>)[] = [
      (client: Client) =>
        client.members.setRole({ params: { memberId: "m" }, body: { role: "tenant-staff" } }),
      (client: Client) => client.useResources("licence").delete("r-7"),
    ];
    for (const write of writes) {
      expect(await errorOf(read(answer, write))).toMatchObject({
        code: "E203",
        hint: expect.stringContaining("The outcome is unknown"),
      });
    }
  });

  it.each([null, { status: "queued" }])(
    "%j is no receipt of a purge, which must name it",
    async (answer) => {
      const params = { parentId: tenantId, childId: "0198f0a0-2222-7000-8000-000000000003" };
      const purged = read(answer, (client) => client.workspaceRemoval.purgeChild({ params }));
      expect(await errorOf(purged)).toMatchObject({
        code: "E203",
        message: expect.stringMatching(/sent, outcome not confirmed: .*0003\/delete/),
      });
    },
  );

  it.each([
    [{ reply: "Six weeks." }],
    [{ message: "Six weeks.", conversation_id: "c" }],
    [{ message: { text: "Six weeks." } }],
    [{ choices: [{ message: { role: "assistant", content: "Six weeks." } }] }],
  ])("of a chat: %j", async (answer) => {
    const reply = await read(answer, (client) => client.useChat("w").send("When?"));
    expect(reply.message.content).toBe("Six weeks.");
    expect(reply.conversation_id).not.toBe("");
  });

  it("without a body, to a write that needs none", async () => {
    const client = clientOf(serve(() => new Response(null, { status: 204 })));
    expect(await client.useDocuments().delete("DOC-1")).toEqual({});
    expect(await errorOf(client.useDocuments().record("DOC-1"))).toMatchObject({ code: "E203" });
    const created = await client.useResources("licence").create({ a: 1 });
    expect(created).toMatchObject({ id: "", data: { a: 1 } });
  });

  it("reads a record again after a write that shows only its id, or nothing", async () => {
    const stored = { id: "r-7", version: 3, data: { a: 1 } };
    const server = serve(({ method }) => {
      if (method === "POST") return Response.json({ id: "r-7" }, { status: 201 });
      return method === "PUT" ? new Response(null, { status: 204 }) : Response.json(stored);
    });
    const licences = clientOf(server).useResources("licence");
    expect(await licences.create({ a: 1 })).toEqual(stored);
    expect(await licences.update("r-7", { a: 1 }, { version: 2 })).toEqual(stored);
    expect(server.seen.map(({ method }) => method)).toEqual(["POST", "GET", "PUT", "GET"]);
  });

  it("of a batch as counts, or without a body", async () => {
    const batch = async (response: () => Response) =>
      await clientOf(serve(response)).useResources("licence").batchDelete(["a", "b"]);
    expect(await batch(() => Response.json({ successCount: 2, errorCount: 0 }))).toMatchObject({
      results: [{ index: 0 }, { index: 1 }],
      succeeded: 2,
    });
    expect((await batch(() => new Response(null, { status: 204 }))).succeeded).toBe(2);
    const some = batch(() => Response.json({ successCount: 1, errorCount: 0 }));
    expect(await errorOf(some)).toMatchObject({ code: "E203" });
    const bad = batch(() => Response.json({ successCount: 1, errorCount: 1 }));
    expect(await errorOf(bad)).toMatchObject({ code: "E203" });
  });

  it("of storage in other forms", async () => {
    const status = await read({ backends: { blob: { status: "ok" } } }, (client) =>
      client.storage.status(),
    );
    expect(status.backends).toEqual([{ backend: "blob", status: "ok" }]);
    const checks = { healthy: true, checks: [{ name: "rows", passed: true }] };
    expect(await read(checks, (client) => client.storage.doctor())).toMatchObject({
      ok: true,
      findings: [],
    });
  });

  it("with times as numbers", async () => {
    const record = await read({ id: "a", version: 1, data: {}, created_at: 1767225600 }, (client) =>
      client.useResources("licence").get("a"),
    );
    expect(record.created_at).toBe("2026-01-01T00:00:00.000Z");
  });
});

describe("all pages of a list that names no next page", () => {
  const records = Array.from({ length: 5 }, (_none, index) => ({
    id: String(index),
    version: 1,
    data: {},
  }));

  it.each([
    [
      "a full page",
      (page: number, limit: number) => records.slice((page - 1) * limit, page * limit),
    ],
    [
      "a total, with pages smaller than asked",
      (page: number) => ({ items: records.slice((page - 1) * 2, page * 2), total: 5 }),
    ],
    ["a deployment without pages", () => records.slice(0, 3)],
  ])("reads on after %s", async (name, answer) => {
    const server = serve(({ path }) => {
      const { searchParams } = new URL(path, "http://localhost");
      return Response.json(
        answer(Number(searchParams.get("page")), Number(searchParams.get("limit"))),
      );
    });
    const ids: string[] = [];
    for await (const { id } of clientOf(server).useResources("a").all({ pageSize: 3 }))
      ids.push(id);
    const expected = name === "a deployment without pages" ? records.slice(0, 3) : records;
    expect(ids).toEqual(expected.map(({ id }) => id));
    expect(server.seen.length).toBeLessThan(5);
  });
});
