import { expect, test } from "vitest";
import { putQuota, type Quota } from "#server/domains/quotas/store.ts";
import { describePlatform, field, type Caller, type TestPlatform } from "#test/support/platform.ts";
import { storeQuota } from "#test/support/stored-quota.ts";
import { file, formOf, uploadPath } from "#test/support/document-forms.ts";
import { importedArchive, takenArchive } from "../archives/world.ts";
import { newRoot } from "../members/world.ts";

const noteType = {
  name: "Note",
  slug: "note",
  properties: {
    text: { type: "string" },
    name: { type: "string", unique: true },
    plan: { type: "file" },
  },
};

/** A root with the type `note`, and a quota that the platform already follows. */
async function limitedRoot(the: TestPlatform, changes: Partial<Quota>): Promise<string> {
  const workspace = await newRoot(the);
  const headers = { "x-tenant-id": workspace };
  await the.as("system-admin").post("/v4/data/resources/object-types", noteType, { headers });
  await storeQuota(the, workspace, changes);
  the.advance(6_000);
  await the.as("system-admin").get(quotaPath(workspace));
  return workspace;
}

const quotaPath = (workspace: string) => `/v4/platform/tenants/${workspace}/quota`;

describePlatform("a quota", (the) => {
  const admin = (): Caller => the().as("system-admin");

  test("of records refuses one more, until one is deleted", async () => {
    const workspace = await limitedRoot(the(), { records: 2 });
    const notes = `/v4/data/resources/${workspace}/note`;
    const first = await admin().post(notes, { text: "one" });
    expect((await admin().post(notes, { text: "two" })).status).toBe(201);
    const third = await admin().post(notes, { text: "three" });
    expect(third).toMatchObject({
      status: 409,
      json: { code: "quota-exceeded", quota: "records", limit: 2, used: 2 },
    });
    const batch = { items: [{ text: "a" }, { text: "b" }] };
    expect((await admin().post(`${notes}/batch/create`, batch)).status).toBe(409);
    await admin().delete(`${notes}/${String(field(first.json, "id"))}`);
    the().advance(1_500);
    expect((await admin().post(notes, { text: "three" })).status).toBe(201);
    const { json } = await admin().get(quotaPath(workspace));
    expect(json).toEqual({
      quota: { bytes: null, records: 2, documents: null, requests: null },
      usage: { bytes: 0, records: 2, documents: 0 },
      platform: { requestsPerMinute: expect.any(Number), lastBackupAt: null },
    });
    const asViewer = await the().as("tenant-viewer").get(quotaPath(the().workspaces.tenant));
    expect(asViewer).toMatchObject({ status: 200, json: { quota: {} } });
    expect(field(asViewer.json, "platform")).toBeUndefined();
    const refused = await admin().get(
      `/v4/platform/tenants/${workspace}/audit?outcome=refused&limit=1`,
    );
    expect(JSON.stringify(refused.json)).toContain("quota-exceeded");
  });

  test("of records counts upserts that create, and not what only changes a record", async () => {
    const workspace = await limitedRoot(the(), { records: 2 });
    const notes = `/v4/data/resources/${workspace}/note`;
    const upsert = (name: string) => admin().put(`${notes}/by/name/${name}`, { data: {} });
    const first = await upsert("a");
    expect([first.status, (await upsert("b")).status]).toEqual([201, 201]);
    const refused = { status: 409, json: { code: "quota-exceeded", quota: "records" } };
    expect(await upsert("c")).toMatchObject(refused);
    const items = ["a", "c"].map((value) => ({ op: "upsert", property: "name", value, data: {} }));
    expect(await admin().post(`${notes}/batch`, { items })).toMatchObject(refused);
    expect((await upsert("a")).status).toBe(200);
    expect((await admin().post(`${notes}/batch`, { items: [items[0]] })).status).toBe(200);
    const path = `${notes}/${String(field(first.json, "id"))}`;
    expect((await admin().patch(path, { data: { text: "later" } })).status).toBe(200);
    expect((await admin().post(`${path}/restore`, { version: 1 })).status).toBe(200);
    await admin().delete(path);
    the().advance(1_500);
    expect((await upsert("c")).status).toBe(201);
    expect(await admin().post(`${path}/restore`, {})).toMatchObject(refused);
  });

  test("of records counts the rows of a table", async () => {
    const workspace = await limitedRoot(the(), { records: 2 });
    const notes = `/v4/data/resources/${workspace}/note`;
    const begin = { digest: "ab".repeat(32), filename: "notes.csv" };
    const begun = await admin().post(`${notes}/imports`, begin);
    const rows = `${notes}/imports/${String(field(begun.json, "id"))}/rows`;
    const items = [2, 3, 4].map((row) => ({ op: "create", row, data: { text: `${row}` } }));
    const refused = { status: 409, json: { code: "quota-exceeded", quota: "records" } };
    expect(await admin().post(rows, { items })).toMatchObject(refused);
    expect((await admin().post(rows, { items: items.slice(0, 2) })).status).toBe(200);
    expect(await admin().post(rows, { items: items.slice(2) })).toMatchObject(refused);
  });

  test("of records holds for requests at the same moment", async () => {
    const workspace = await limitedRoot(the(), { records: 5 });
    const notes = `/v4/data/resources/${workspace}/note`;
    const send = (text: string) => admin().post(notes, { text });
    const wrong = await Promise.all(
      Array.from({ length: 5 }, () => admin().post(notes, { text: 7 })),
    );
    expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([422]));
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => send(`note ${n}`)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  });

  test("of bytes refuses a file that would pass it", async () => {
    const workspace = await limitedRoot(the(), { bytes: 100 });
    const notes = `/v4/data/resources/${workspace}/note`;
    const id = String(field((await admin().post(notes, { text: "one" })).json, "id"));
    const send = (size: number) => {
      const headers = { "content-type": "text/plain", "content-length": String(size) };
      const path = `${notes}/${id}/files/plan?filename=plan.txt`;
      return admin().call("POST", path, { headers, rawBody: "x".repeat(size) });
    };
    expect((await send(60)).status).toBe(201);
    expect(await send(60)).toMatchObject({ status: 409, json: { quota: "bytes", used: 60 } });
  });

  test("of requests refuses until the minute is over, and leaves others alone", async () => {
    const workspace = await limitedRoot(the(), { requests: 3 });
    const other = await newRoot(the());
    const ask = (id: string) => admin().get(`/v4/platform/tenants/${id}/members`);
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await ask(workspace)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await ask(workspace);
    expect(refused.json).toMatchObject({ code: "rate-limited" });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await ask(other)).status).toBe(200);
    the().advance(60_000);
    expect((await ask(workspace)).status).toBe(200);
  });

  test("is removed with its last limit", async () => {
    const workspace = await limitedRoot(the(), { records: 0 });
    const notes = `/v4/data/resources/${workspace}/note`;
    expect((await admin().post(notes, { text: "one" })).status).toBe(409);
    await storeQuota(the(), workspace, { records: null });
    the().advance(6_000);
    await admin().get(quotaPath(workspace));
    await admin().get(quotaPath(workspace));
    expect((await admin().post(notes, { text: "one" })).status).toBe(201);
  });

  test("of documents holds for a workspace that only the form names", async () => {
    const workspace = await limitedRoot(the(), { documents: 1 });
    const records = `/v4/data/resources/${workspace}`;
    const keys = { vertical_key: "portal", workflow_key: "triage" };
    const config = { documentLifecycle: "planning-assist-v1" };
    await admin().post(`${records}/vertical-product-config`, { ...keys, config });
    const send = (name: string) => {
      const rawBody = formOf(
        ["tenant_id", workspace],
        ["storage_target", "resourceapi"],
        ["processing_mode", "full"],
        ["vertical_key", "portal"],
        ["workflow_key", "triage"],
        ["files", file(`${name}.txt`, `The letter ${name}.`, "text/plain")],
      );
      return admin().post(uploadPath, undefined, { rawBody });
    };
    const first = await send("one");
    expect(first.status, first.text).toBe(202);
    const refused = { status: 409, json: { code: "quota-exceeded", quota: "documents" } };
    expect(await send("two")).toMatchObject(refused);
    const headers = { "x-tenant-id": workspace };
    const document = `/v4/data/documents/records/${String(field(first.json, "documentId"))}`;
    expect((await admin().delete(`${document}?trash=true`, { headers })).status).toBe(200);
    the().advance(1_500);
    expect((await send("two")).status).toBe(202);
    expect(await admin().post(`${document}/restore`, undefined, { headers })).toMatchObject(
      refused,
    );
  });

  test("of records refuses an archive with more than it leaves", async () => {
    const source = await newRoot(the());
    const headers = { "x-tenant-id": source };
    await admin().post("/v4/data/resources/object-types", noteType, { headers });
    const notes = `/v4/data/resources/${source}/note`;
    for (const name of ["a", "b"]) await admin().post(notes, { name });
    const { bytes } = await takenArchive(the(), source, {}, "system-admin");
    const into = async (records: number) => {
      const workspace = await newRoot(the());
      const quota = { records, documents: null, bytes: null, requests: null };
      // Another connection would wait for the jobs of this process.
      await the()
        .platform.platformWork("the quota of a test")
        .write((tx) => putQuota(tx, workspace, quota));
      return importedArchive(the(), workspace, bytes, "system-admin");
    };
    const words = "The archive has 2 records, and the workspace 0; its quota is 1";
    expect(await into(1)).toMatchObject({ status: "failed", error: { message: words } });
    expect((await into(2)).status).toMatch(/^succeeded|^completed/);
  });
});
