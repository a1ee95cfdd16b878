import { expect, onTestFinished, test } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { putQuota } from "#server/domains/quotas/store.ts";
import { makeContext } from "#test/support/document-forms.ts";
import { reading } from "../realtime/open-stream.ts";
import { makeRecord, nextReference } from "../records/routes/ledger.ts";
import {
  callBody,
  inTenant,
  makeSource,
  receivedCalls,
  send,
  sourcesPath,
  standard,
} from "./senders.ts";

/** Sends one call to a new source, and returns it once it has ended. */
async function ended(the: TestPlatform, settings: object, body: string) {
  const { source, secret } = await makeSource(the, settings);
  const fields = await standard.fields(secret, body, new Date());
  const accepted = await send(the, source, body, fields);
  expect(accepted.status, accepted.text).toBe(202);
  const call = await endOf(the, source);
  return { source, secret, call, id: String(field(call, "id")) };
}

function endOf(the: TestPlatform, source: string): Promise<object> {
  return eventually(async () => {
    const [call] = await receivedCalls(the, source);
    if (call === undefined || field(call, "status") === "waiting") throw new Error("not ended");
    return call;
  });
}

describePlatform("the effects of calls from outside", (the) => {
  const patch = (source: string, changes: object) =>
    the().as("tenant-admin").patch(`${sourcesPath}/${source}`, changes, inTenant(the()));
  const replay = (source: string, id: string) =>
    the()
      .as("tenant-admin")
      .post(`${sourcesPath}/${source}/received/${id}/replay`, undefined, inTenant(the()));

  test("execute an action of a record", async () => {
    const { id, reference } = await makeRecord(the());
    const mapping = `{action: {type: "ledger", id: .body.id, name: "close", parameters: {by: "sender"}}}`;
    const { call } = await ended(the(), { mapping }, JSON.stringify({ id }));
    expect(call).toMatchObject({ status: "done", effect: "action", subject: id });
    const path = `/v4/data/resources/${the().workspaces.tenant}/ledger/${id}`;
    const record = await the().as("tenant-admin").get(path);
    expect(field(record.json, "data")).toMatchObject({ reference, status: "closed" });
  });

  test("send a document to the upload, which refuses an unknown workflow", async () => {
    const mapping = `{document: {filename: "note.txt", text: .body.text,
      fields: {processing_mode: "store_only", vertical_key: "portal", workflow_key: "intake"}}}`;
    const { call } = await ended(the(), { mapping }, JSON.stringify({ text: "from outside" }));
    expect(call).toMatchObject({
      status: "failed",
      effect: "document",
      error: expect.stringContaining("document-context-missing"),
    });
  });

  test("that fail are events of their source, which admins read", async () => {
    const path = "/v4/realtime/events?kinds=alert";
    const stream = reading(await the().as("tenant-admin").fetch("GET", path, inTenant(the())));
    onTestFinished(() => stream.cancel());
    await stream.any();
    const { source } = await ended(the(), { mapping: `error("not wanted")` }, callBody("refused"));
    expect(await stream.next()).toMatchObject({
      type: "svc.alert.updated",
      subject: source,
      data: { id: source, kind: "webhook-source" },
    });
  });

  test("upload a document, which belongs to a record and has the text of the call", async () => {
    const { application } = await makeContext(the());
    const mapping = `{document: {filename: "note.txt", text: .body.text,
      fields: {processing_mode: "full", vertical_key: "planning-portal",
        workflow_key: "planning-assistant", planning_application_id: "${application}"}}}`;
    const { call } = await ended(the(), { mapping }, JSON.stringify({ text: "The herons nest." }));
    expect(call).toMatchObject({ status: "done", effect: "document", error: null });
    const path = `/v4/data/documents/records/${String(field(call, "subject"))}`;
    await eventually(async () => {
      const found = await the().as("tenant-admin").get(path, inTenant(the()));
      expect(found.json).toMatchObject({ filename: "note.txt", indexStatus: "indexed" });
    });
    const search = "/v4/data/documents/search?query=herons&mode=fulltext";
    const passages = await the().as("tenant-admin").get(search, inTenant(the()));
    expect(passages.text).toContain("The herons nest.");
  });

  test("count for the quota of bytes, beyond which a call is refused", async () => {
    const { source, secret } = await makeSource(the(), { mapping: "empty" });
    const { tenant } = the().workspaces;
    const call = async (body: string) =>
      send(the(), source, body, await standard.fields(secret, body, the().now()));
    const usage = async () => {
      const quota = await the().as("tenant-admin").get(`/v4/platform/tenants/${tenant}/quota`);
      return Number(field(field(quota.json, "usage"), "bytes"));
    };
    const before = await usage();
    expect((await call("x".repeat(5_000))).status).toBe(202);
    expect(await usage()).toBe(before + 5_000);
    const none = { bytes: null, documents: null, records: null, requests: null };
    const work = the().platform.platformWork("the quota of a test");
    const set = (bytes: number | null) =>
      work.write((tx) => putQuota(tx, tenant, { ...none, bytes }));
    await set(before + 10_000);
    the().advance(6_000);
    await usage();
    const refused = await eventually(async () => {
      const answer = await call("y".repeat(6_000));
      expect(answer.status).toBe(409);
      return answer;
    });
    expect(refused.json).toMatchObject({ code: "quota-exceeded", quota: "bytes" });
    expect((await call("z".repeat(1_000))).status).toBe(202);
    await set(null);
  });

  test("are none where the mapping gives nothing", async () => {
    const { call } = await ended(the(), { mapping: `select(.body.wanted)` }, callBody("unwanted"));
    expect(call).toMatchObject({ status: "skipped", effect: null, error: null });
  });

  test("wait in the list with their error, and are replayed once it is mended", async () => {
    const reference = nextReference();
    const tooLong = "a title that is longer than the type allows";
    const { call, source, id } = await ended(the(), {}, callBody(reference, tooLong));
    expect(call).toMatchObject({
      status: "failed",
      error: expect.stringContaining("#/data/title"),
    });
    const mapping = `{upsert: {type: "ledger", property: "reference", value: .body.reference, data: {}}}`;
    expect((await patch(source, { mapping })).status).toBe(200);
    const replayed = await replay(source, id);
    expect(replayed.json).toMatchObject({ status: "waiting", attempts: 2 });
    expect(await endOf(the(), source)).toMatchObject({ status: "done", error: null });
  });

  test("are by the rights of the source's role", async () => {
    const { call } = await ended(the(), { role: "tenant-viewer" }, callBody(nextReference()));
    expect(call).toMatchObject({
      status: "failed",
      error: expect.stringContaining("permission-denied"),
    });
  });

  test("lose what an erasure removes, and can't be replayed then", async () => {
    const reference = nextReference();
    const { call, source, id } = await ended(the(), {}, callBody(reference));
    const record = String(field(call, "subject"));
    const path = `/v4/data/resources/${the().workspaces.tenant}/ledger/${record}?permanent=true`;
    const erased = await the().as("tenant-admin").delete(path);
    expect(erased.status, erased.text).toBe(204);
    const read = `${sourcesPath}/${source}/received/${id}`;
    const details = await the().as("tenant-admin").get(read, inTenant(the()));
    expect(details.json).toMatchObject({ body: null, headers: {} });
    expect(details.text).not.toContain(reference);
    expect((await replay(source, id)).status).toBe(409);
  });

  test("are none of a disabled source", async () => {
    const { source, secret } = await makeSource(the());
    expect((await patch(source, { enabled: false })).json).toMatchObject({ status: "disabled" });
    const body = callBody(nextReference());
    const refused = await send(
      the(),
      source,
      body,
      await standard.fields(secret, body, new Date()),
    );
    expect(refused.status).toBe(401);
    expect((await patch(source, { enabled: true })).json).toMatchObject({ status: "active" });
  });

  test("accept each secret in the grace of its rotation, and then the new one", async () => {
    const { source, secret } = await makeSource(the());
    const rotate = (graceDays: number) =>
      the()
        .as("tenant-admin")
        .post(`${sourcesPath}/${source}/rotate`, { graceDays }, inTenant(the()));
    const status = async (using: string) => {
      const body = callBody(nextReference());
      const fields = await standard.fields(using, body, new Date());
      return (await send(the(), source, body, fields)).status;
    };
    const second = String(field((await rotate(1)).json, "secret"));
    expect([await status(secret), await status(second)]).toEqual([202, 202]);
    const third = String(field((await rotate(7)).json, "secret"));
    expect([await status(secret), await status(second), await status(third)]).toEqual([
      202, 202, 202,
    ]);
    const last = String(field((await rotate(0)).json, "secret"));
    const former = [await status(secret), await status(second), await status(third)];
    expect([...former, await status(last)]).toEqual([401, 401, 401, 202]);
  });

  test("are shown by a trial, which changes nothing", async () => {
    const { source } = await makeSource(the());
    const tried = await the()
      .as("tenant-admin")
      .post(`${sourcesPath}/${source}/test`, { body: { reference: "trial" } }, inTenant(the()));
    expect(tried.json).toMatchObject({
      effect: { upsert: { type: "ledger", value: "trial", data: { title: null } } },
      error: null,
    });
    const hostile = { mapping: "null, null", body: {} };
    const refused = await the()
      .as("tenant-admin")
      .post(`${sourcesPath}/${source}/test`, hostile, inTenant(the()));
    expect(refused.status, refused.text).toBe(200);
    expect(refused.json).toMatchObject({
      effect: null,
      error: expect.stringContaining("2 values"),
    });
    expect(await receivedCalls(the(), source)).toEqual([]);
  });
});

describePlatform("sources of a member who is removed", (the) => {
  test("are disabled, and an admin enables them in their own name", async () => {
    const { source, secret } = await makeSource(the());
    const { tenant } = the().workspaces;
    const path = `/v4/platform/tenants/${tenant}/members`;
    const listed = await the().as("tenant-admin").get(path);
    const items = field(listed.json, "items") as object[];
    const { oid } = the().users["tenant-admin"];
    const maker = items.find((item) => field(item, "oid") === oid) ?? {};
    const memberId = String(field(maker, "memberId"));
    const removed = await the().as("system-admin").delete(`${path}/${memberId}?keys=revoke`);
    expect(removed.status, removed.text).toBe(200);
    const body = callBody(nextReference());
    const fields = await standard.fields(secret, body, new Date());
    expect((await send(the(), source, body, fields)).status).toBe(401);
    const enabled = await the()
      .as("system-admin")
      .patch(`${sourcesPath}/${source}`, { enabled: true }, inTenant(the()));
    expect(enabled.json).toMatchObject({ status: "active", role: "tenant-staff" });
    expect((await send(the(), source, body, fields)).status).toBe(202);
  });
});
