import { beforeAll, describe, expect, it } from "vitest";
import { createClient, exportObjectTypes } from "#client/index.ts";
import type { ChatStreamEvent, Client } from "#client/index.ts";
import { describePlatform, type TestPlatform, type TestUser } from "../support/platform.ts";
import { errorOf } from "./servers.ts";

/** The client against the whole platform, in one process and with no port. */

function clientFor(
  platform: TestPlatform,
  user: TestUser,
  tenantId = platform.workspaces.tenant,
): Client {
  return createClient({
    baseUrl: platform.baseUrl,
    token: platform.users[user].token,
    tenantId,
    fetch: (request) => platform.platform.fetch(request),
  });
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

describePlatform("the client", (the) => {
  it("reads the identity, and health without a token", async () => {
    const client = clientFor(the(), "tenant-staff");
    expect((await client.identity.me()).email).toBe("tenant-staff@example.org");
    const nobody = createClient({
      baseUrl: the().baseUrl,
      fetch: (request) => the().platform.fetch(request),
    });
    expect((await nobody.health.resources()).status).toBe("ok");
    const openapi = await nobody.health.openapi();
    expect(openapi.openapi).toMatch(/^3\.1/);
    expect(await errorOf(nobody.identity.me())).toMatchObject({ code: "E101" });
  });

  describe("with typed records", () => {
    it("creates, lists, updates under a version, and deletes", async () => {
      const builder = clientFor(the(), "tenant-builder");
      await builder.objectTypes.create({
        body: {
          name: "Permit",
          slug: "client-permit",
          properties: { title: { type: "string", required: true }, size: { type: "integer" } },
        },
      });
      const permits = clientFor(the(), "tenant-staff").useResources("client-permit");
      const made = [];
      for (let size = 1; size <= 5; size += 1)
        made.push(await permits.create({ title: `p${size}`, size }));
      const page = await permits.list({
        where: { size: { $gt: 2 } },
        sort: "size",
        limit: 2,
        count: true,
      });
      expect(page.items.map(({ data }) => data["title"])).toEqual(["p3", "p4"]);
      expect(page).toMatchObject({ hasNextPage: true, total: 3 });
      const titles: unknown[] = [];
      for await (const { data } of permits.all({ sort: "size", pageSize: 2 }))
        titles.push(data["title"]);
      expect(titles).toEqual(["p1", "p2", "p3", "p4", "p5"]);

      const first = made[0]!;
      const updated = await permits.update(first.id, { title: "p1 again", size: 1 });
      expect(updated.version).toBe(first.version + 1);
      const stale = await errorOf(
        permits.update(first.id, { title: "lost" }, { version: first.version }),
      );
      expect(stale).toMatchObject({ code: "E205", status: 409 });
      expect(Reflect.get(Object(stale), "hint")).toContain(
        `The current version is ${updated.version}`,
      );
      await permits.delete(first.id);
      expect(await errorOf(permits.get(first.id))).toMatchObject({ code: "E202", status: 404 });
    });

    it("reports the place of a fault, and a missing role", async () => {
      const permits = clientFor(the(), "tenant-staff").useResources("client-permit");
      const wrong = await errorOf(permits.create({ size: "large" }));
      expect(wrong).toMatchObject({ code: "E302", status: 422 });
      expect(String(wrong)).toMatch(/#\/\S*title/);
      const viewer = clientFor(the(), "tenant-viewer").useResources("client-permit");
      expect(await errorOf(viewer.create({ title: "x" }))).toMatchObject({
        code: "E204",
        status: 403,
      });
    });

    it("reads earlier versions of a record", async () => {
      const permits = clientFor(the(), "tenant-staff").useResources("client-permit");
      const { id } = await permits.create({ title: "was" });
      await permits.update(id, { title: "is" }, { version: 1 });
      expect((await permits.get(id, { version: 1 })).data).toEqual({ title: "was" });
      const { items } = await permits.history(id, { limit: 1, count: true });
      expect(items).toMatchObject([
        { version: 2, operation: "update", changes: [{ op: "test" }, { path: "/title" }] },
      ]);
    });

    it("writes batches, and reports the outcome of each item", async () => {
      const permits = clientFor(the(), "tenant-staff").useResources("client-permit");
      const made = await permits.batchCreate([{ title: "one" }, { size: 1 }, { title: "two" }]);
      expect(made).toMatchObject({ succeeded: 2, failed: 1, results: [{}, { status: 422 }, {}] });
      const ids = made.results.flatMap(({ id }) => id ?? []);
      const changes = ids.map((id) => ({ id, data: { title: "new" }, version: 1 }));
      expect(await permits.batchUpdate(changes, { atomic: true })).toMatchObject({ succeeded: 2 });
      const stale = await errorOf(permits.batchUpdate(changes, { atomic: true }));
      expect(stale).toMatchObject({ code: "E205", status: 409 });
      expect(await permits.batchDelete(ids)).toMatchObject({ succeeded: 2, failed: 0 });
    });

    it("finds in several types, and works out figures", async () => {
      const client = clientFor(the(), "tenant-staff");
      const permits = client.useResources("client-permit");
      await permits.batchCreate([
        { title: "sum", size: 2 },
        { title: "sum", size: 3 },
      ]);
      const where = { title: "sum" };
      const found = await client.resources.query({
        body: { types: ["client-permit"], where, sort: "-size" },
      });
      expect(found.items.map(({ data }) => data["size"])).toEqual([3, 2]);
      const figures = { total: { op: "sum", field: "size" } } as const;
      expect(await permits.aggregate({ groupBy: ["title"], metrics: figures, where })).toEqual({
        rows: [{ group: { title: "sum" }, metrics: { total: 5 } }],
        truncated: false,
      });
    });

    it("executes an action", async () => {
      const client = clientFor(the(), "tenant-builder");
      await client.objectTypes.create({
        body: {
          name: "ClientCase",
          slug: "client-case",
          properties: { state: { type: "string" }, why: { type: "string" } },
          actions: [
            {
              name: "close",
              parameters: { why: { type: "string" } },
              transition: { property: "state", from: ["open"], to: "closed" },
              set: { why: { $parameter: "why" } },
            },
          ],
        },
      });
      const cases = client.useResources("client-case");
      const { id } = await cases.create({ state: "open" });
      const closed = await cases.execute(id, "close", { why: "done" }, { version: 1 });
      expect(closed).toMatchObject({ version: 2, data: { state: "closed", why: "done" } });
      const again = await errorOf(cases.execute(id, "close"));
      expect(again).toMatchObject({ code: "E205", status: 409 });
    });

    it("creates once, however often one key is sent", async () => {
      const permits = clientFor(the(), "tenant-staff").useResources("client-permit");
      const key = { idempotencyKey: crypto.randomUUID() };
      const twice = [
        await permits.create({ title: "keyed" }, key),
        await permits.create({ title: "keyed" }, key),
      ];
      expect(twice[0]?.id).toBe(twice[1]?.id);
    });

    it("creates one record when the first response is lost", async () => {
      const { platform } = the();
      const statuses: Promise<number>[] = [];
      const client = createClient({
        baseUrl: the().baseUrl,
        token: the().users["tenant-staff"].token,
        tenantId: the().workspaces.tenant,
        fetch: (request) => {
          const answer = platform.fetch(request);
          if (request.method === "GET") return answer;
          statuses.push(answer.then(({ status }) => status));
          if (statuses.length > 1) return answer;
          return Promise.reject(Object.assign(new Error("cut"), { code: "ECONNRESET" }));
        },
      });
      const permits = client.useResources("client-permit");
      // The first response shows that the platform honours keys.
      await permits.list({ limit: 1 });
      const { id } = await permits.create({ title: "cut" });
      const codes = await Promise.all(statuses);
      // Whether the first attempt still runs when the second one comes is the platform's affair.
      expect(codes.filter((code) => code !== 409)).toEqual([201, 201]);
      const kept = await permits.list({ where: { title: "cut" } });
      expect(kept.items.map((record) => record.id)).toEqual([id]);
    });

    it("exports the types that are there", async () => {
      const types = await exportObjectTypes(clientFor(the(), "tenant-viewer"));
      expect(types.map(({ slug }) => slug)).toContain("client-permit");
      expect(await exportObjectTypes(clientFor(the(), "outsider", the().workspaces.other))).toEqual(
        [],
      );
    });
  });

  describe("with documents", () => {
    const keys = { appKey: "planning-portal", workflowKey: "planning-assistant" };
    beforeAll(async () => {
      // The app, its workflow, and the lifecycle that is bound to them (spec 2.9).
      const client = clientFor(the(), "tenant-builder");
      const key = { type: "string" } as const;
      const properties = { vertical_key: key, workflow_key: key, status: key };
      for (const [name, slug] of [
        ["SharedWorkflowConfig", "shared-workflow-config"],
        ["VerticalProductConfig", "vertical-product-config"],
      ] as const) {
        const settings = { config: { type: "object" } } as const;
        await client.objectTypes.create({
          body: { name, slug, properties: { ...properties, ...settings } },
        });
        await client.useResources(slug).create({
          vertical_key: keys.appKey,
          workflow_key: keys.workflowKey,
          status: "active",
          config: { documentLifecycle: "planning-assist-v1" },
        });
      }
    });

    const text = "The quay wall at 18 Quay Street was inspected in May. It needs new mortar.\n";
    const file = (content = text) => ({
      filename: "inspectión “1”.txt",
      contentType: "text/plain",
      content: new Blob([content]),
    });

    it("uploads, waits, reads back the very bytes, asks about them, and deletes", async () => {
      const client = clientFor(the(), "tenant-staff");
      const documents = client.useDocuments();
      const outcome = await documents.upload(file(), keys);
      expect(outcome.status).toBe(202);
      const { jobId } = await outcome.accepted();
      const states: string[] = [];
      const end = await documents.waitForJob(jobId, {
        onChange: ({ status }) => states.push(status),
      });
      expect(end.outcome).toBe("succeeded");
      expect(states.at(-1)).toBe("succeeded");

      const documentId = String(end.job?.documentId);
      const record = await documents.record(documentId);
      expect(record).toMatchObject({
        filename: "inspectión “1”.txt",
        size: Buffer.byteLength(text),
      });
      const { size = 0, sha256 = "" } = record;
      const content = await documents.content(documentId, { expected: { size, sha256 } });
      expect(await textOf(content.chunks())).toBe(text);
      expect((await documents.page(documentId, 1)).text).toContain("18 Quay Street");
      expect((await documents.list({ limit: 5 })).items.map((one) => one.documentId)).toContain(
        documentId,
      );

      const chat = client.useChat("planning-assistant");
      const reply = await chat.send("What does the quay wall need?", {
        params: { documentIds: [documentId] },
      });
      expect(reply.citations?.[0]?.quote).toBeTruthy();
      expect(text).toContain(reply.citations?.[0]?.quote);
      const events: ChatStreamEvent[] = [];
      for await (const event of chat.stream("What does the quay wall need?", {
        params: { documentIds: [documentId] },
      }))
        events.push(event);
      expect(events.at(-1)).toMatchObject({ type: "finish", complete: true, model: "extractive" });
      expect(events.some(({ type }) => type === "text")).toBe(true);
      expect(events.some(({ type }) => type === "citation")).toBe(true);

      expect(await documents.delete(documentId)).toMatchObject({ complete: true });
      expect(await errorOf(documents.record(documentId))).toMatchObject({ code: "E202" });
    });

    it("of another workspace are not there", async () => {
      const own = clientFor(the(), "tenant-staff").useDocuments();
      const { jobId, documentId = "" } = await (
        await own.upload(file(`${text} again`), keys)
      ).accepted();
      const foreign = clientFor(the(), "outsider", the().workspaces.other).useDocuments();
      expect(await errorOf(foreign.job(jobId))).toMatchObject({ code: "E202" });
      expect(await errorOf(foreign.content(documentId))).toMatchObject({ code: "E202" });
      expect((await own.waitForJob(jobId)).outcome).toBe("succeeded");
    });
  });
});
