import { describe, expect, test } from "vitest";
import type { AuditEntry, AuditHead } from "#contract/workspaces/audit.ts";
import { auditDigest } from "#lib/audit-chain.ts";
import { raw } from "#server/database/statement.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import { describePlatform, field, type Caller, type TestPlatform } from "#test/support/platform.ts";
import { eventually } from "#test/support/eventually.ts";
import { testWorks } from "#test/support/work.ts";
import { membersPath, newMember, newRoot } from "../members/world.ts";

const noteType = {
  name: "Note",
  slug: "note",
  properties: { text: { type: "string" } },
};

async function logOf(call: Caller, path: string, query = ""): Promise<AuditEntry[]> {
  const answered = await call.get(`${path}?limit=500${query}`);
  expect(answered.status, answered.text).toBe(200);
  return field(answered.json, "items") as AuditEntry[];
}

const auditPath = (workspace: string) => `/v4/platform/tenants/${workspace}/audit`;

async function changed(the: TestPlatform, text: string): Promise<unknown> {
  const database = await openPlatformDatabase({ url: the.databaseUrl, isExclusive: false });
  try {
    return await testWorks(database).work.write((tx) => tx.run(raw(text)));
  } finally {
    await database.close();
  }
}

/** Follows the chain as a client does. */
function brokenAt(entries: readonly AuditEntry[]): number | undefined {
  let previous = "";
  for (const [index, entry] of entries.entries()) {
    const isNext = entry.sequence === index + 1 && auditDigest(previous, entry) === entry.digest;
    if (!isNext) return index + 1;
    previous = entry.digest;
  }
  return undefined;
}

describePlatform("the audit log", (the) => {
  const admin = (): Caller => the().as("system-admin");

  test("has who changed what, with before and after, from where and with which request", async () => {
    const workspace = await newRoot(the());
    const person = await newMember(the(), workspace, { role: "tenant-viewer" });
    const path = `${membersPath(workspace)}/${person.memberId}/roles`;
    const headers = { "x-request-id": "change-1" };
    await admin().patch(path, { role: "tenant-staff" }, { headers });
    const [entry] = await logOf(admin(), auditPath(workspace), "&action=members.setRole");
    expect(entry).toMatchObject({
      actor: the().users["system-admin"].oid,
      actorName: "admin@localhost",
      action: "members.setRole",
      outcome: "done",
      status: 200,
      requestId: "change-1",
      method: "PATCH",
      path,
      address: "in-process",
      changes: {
        target: { memberId: person.memberId, email: person.email },
        before: { role: "tenant-viewer", status: "active" },
        after: { role: "tenant-staff", status: "active" },
      },
    });
  });

  test("of a child has the admin who took it over, and those who tried", async () => {
    const parent = await newRoot(the());
    const children = `/v4/platform/tenants/${parent}/children`;
    const made = await admin().post(children, { slug: "below", displayName: "Below" });
    const child = String(field(made.json, "id"));
    const takeOver = `${children}/${child}/bootstrap-admin`;
    expect((await admin().post(takeOver)).status).toBe(200);
    const other = await newMember(the(), parent, { role: "tenant-admin" });
    expect((await other.call.post(takeOver)).status).toBe(409);
    const action = "&action=workspaces.bootstrapAdmin";
    const entries = await logOf(admin(), auditPath(child), action);
    const { oid } = the().users["system-admin"];
    expect(entries.toSorted((one, next) => one.sequence - next.sequence)).toMatchObject([
      {
        actor: oid,
        outcome: "done",
        changes: { target: { oid }, before: { role: null }, after: { role: "tenant-admin" } },
      },
      { actor: other.oid, outcome: "refused", code: "conflict" },
    ]);
  });

  test("has the changes of types and records, and no reads", async () => {
    const workspace = await newRoot(the());
    const headers = { "x-tenant-id": workspace };
    await admin().post("/v4/data/resources/object-types", noteType, { headers });
    const records = `/v4/data/resources/${workspace}/note`;
    const made = await admin().post(records, { text: "one" });
    const id = String(field(made.json, "id"));
    await admin().get(`${records}/${id}`);
    await admin().put(`${records}/${id}`, { text: "two" });
    await admin().delete(`${records}/${id}`);
    const entries = await logOf(admin(), auditPath(workspace), "&order=asc");
    expect(entries.map(({ action }) => action)).toEqual([
      "workspaces.createRoot",
      "objectTypes.create",
      "resources.create",
      "resources.update",
      "resources.delete",
    ]);
    expect(entries[2]).toMatchObject({ changes: { target: { id, version: 1 } } });
    expect(JSON.stringify(entries)).not.toContain("two");
  });

  test("has refused tries of members, strangers and callers without a token", async () => {
    const workspace = await newRoot(the());
    const person = await newMember(the(), workspace, { role: "tenant-viewer" });
    const path = `${membersPath(workspace)}/${person.memberId}`;
    expect((await person.call.delete(path)).status).toBe(403);
    expect((await the().as("outsider").get(membersPath(workspace))).status).toBe(404);
    expect((await the().as("nobody").get(membersPath(workspace))).status).toBe(401);
    expect((await admin().patch(`${path}/roles`, { role: "king" })).status).toBe(422);
    const refused = await logOf(admin(), auditPath(workspace), "&outcome=refused&order=asc");
    expect(refused.map(({ actor, action, code, status }) => [actor, action, code, status])).toEqual(
      [
        [person.oid, "members.remove", "permission-denied", 403],
        [the().users.outsider.oid, "members.list", "not-found", 404],
        ["", "members.list", "unauthenticated", 401],
        [the().users["system-admin"].oid, "members.setRole", "validation-failed", 422],
      ],
    );
    expect(refused.every(({ changes }) => changes === null)).toBe(true);
  });

  test("is chained: a changed, removed or moved entry is found", async () => {
    const workspace = await newRoot(the());
    for (let number = 0; number < 5; number += 1) await newMember(the(), workspace);
    const path = auditPath(workspace);
    const entries = await logOf(admin(), path, "&order=asc");
    expect(entries.length).toBeGreaterThanOrEqual(6);
    expect(brokenAt(entries)).toBeUndefined();
    const head = (await admin().get(`${auditPath(workspace)}/head`)).json as AuditHead;
    expect(head).toMatchObject({ sequence: entries.length, digest: entries.at(-1)?.digest });
    const where = `where workspace_id = '${workspace}' and sequence = 3`;
    const update = `update audit_entries set outcome = 'refused' ${where}`;
    await expect(changed(the(), update)).rejects.toThrow(/never change/);
    expect(brokenAt(entries.with(2, { ...entries[2]!, actor: "someone else" }))).toBe(3);
    await changed(the(), `delete from audit_entries ${where}`);
    expect(brokenAt(await logOf(admin(), path, "&order=asc"))).toBe(3);
  });

  test("has each of many changes at once, in one chain", async () => {
    const workspace = await newRoot(the());
    const body = (number: number) => ({
      key: `role-${number}`,
      displayName: "Role",
      permissions: ["resources.list"],
    });
    const definitions = `/v4/platform/tenants/${workspace}/role-definitions`;
    const made = await Promise.all(
      Array.from({ length: 24 }, (_, number) => admin().post(definitions, body(number))),
    );
    expect(made.map(({ status }) => status)).toEqual(Array.from({ length: 24 }, () => 201));
    const entries = await logOf(admin(), auditPath(workspace), "&order=asc");
    expect(brokenAt(entries)).toBeUndefined();
    const created = entries.filter(({ action }) => action === "members.createRole");
    expect(created).toHaveLength(24);
  });

  test("is read by admins only, page by page, and filtered by time", async () => {
    const workspace = await newRoot(the());
    const viewer = await newMember(the(), workspace, { role: "tenant-builder" });
    const path = auditPath(workspace);
    expect((await viewer.call.get(path)).status).toBe(403);
    expect((await the().as("outsider").get(`${path}/head`)).status).toBe(404);
    expect((await the().as("outsider").get("/v4/platform/audit")).status).toBe(403);
    const seen: number[] = [];
    let cursor = "";
    for (;;) {
      const page = (await admin().get(`${path}?limit=2${cursor}`)).json;
      seen.push(...(field(page, "items") as AuditEntry[]).map(({ sequence }) => sequence));
      const next = field(page, "nextCursor");
      if (typeof next !== "string") break;
      cursor = `&cursor=${encodeURIComponent(next)}`;
    }
    expect(seen.length).toBeGreaterThanOrEqual(4);
    expect(seen).toEqual(seen.toSorted((one, other) => other - one));
    const counted = await admin().get(`${path}?limit=1&count=true`);
    expect(field(counted.json, "total")).toBeGreaterThanOrEqual(seen.length);
    const since = encodeURIComponent(new Date(the().now().getTime() + 60_000).toISOString());
    expect(await logOf(admin(), path, `&since=${since}`)).toEqual([]);
    expect((await admin().get(`${path}?since=yesterday`)).status).toBe(422);
    const head = await admin().get("/v4/platform/audit/head");
    expect(field(head.json, "sequence")).toBeGreaterThan(0);
    expect((await admin().get(`${path}?cursor=other`)).status).toBe(422);
  });

  test("never has a secret: tokens, keys, passwords or the data of records", async () => {
    const workspace = await newRoot(the());
    const headers = { "x-tenant-id": workspace };
    await admin().post("/v4/data/resources/object-types", noteType, { headers });
    await admin().post(`/v4/data/resources/${workspace}/note`, { text: "planted-record-text" });
    const keys = `/v4/platform/tenants/${workspace}/keys`;
    const key = await admin().post(keys, { name: "Import", role: "tenant-staff" });
    const token = String(field(key.json, "token"));
    expect(token).toMatch(/^svc_/);
    const invited = await admin().post(`${membersPath(workspace)}/invite`, {
      email: "planted@example.org",
      role: "tenant-viewer",
    });
    const secret = String(field(invited.json, "secret"));
    await admin().post(`/v4/identity/invitations/accept`, { secret: `${secret}planted` });
    await the()
      .as("nobody")
      .call("POST", membersPath(workspace), {
        headers: { authorization: "Bearer planted-token" },
      });
    const { text: log } = await admin().get(`${auditPath(workspace)}?limit=500`);
    const { text: platformLog } = await admin().get("/v4/platform/audit?limit=500");
    for (const each of [token, secret, "planted-record-text", "planted-token"]) {
      expect(log + platformLog).not.toContain(each);
    }
    expect(log).toContain("keys.create");
    expect(JSON.stringify(the().log)).not.toContain(token);
  });

  test("of the platform has what belongs to no workspace", async () => {
    const person = await newMember(the(), await newRoot(the()));
    await admin().post(`/v4/platform/users/${person.oid}/disable`);
    const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: "planted" });
    await the().as("nobody").fetch("POST", "/auth/oauth2/v2.0/token", { rawBody: body.toString() });
    const [disabled] = await logOf(admin(), "/v4/platform/audit", "&action=members.disableUser");
    expect(disabled).toMatchObject({
      changes: {
        target: { oid: person.oid },
        before: { disabled: false },
        after: { disabled: true },
      },
    });
    const [refused] = await logOf(admin(), "/v4/platform/audit", "&outcome=refused");
    expect(refused).toMatchObject({ action: "auth.oauth2.v2.0.token", actor: "" });
    expect(JSON.stringify(refused)).not.toContain("planted");
  });

  test("has the purge of a child in its parent's log, and nothing of the child", async () => {
    const parent = await newRoot(the());
    const creation = { slug: "leaf", displayName: "Leaf", starterTemplate: "empty-template" };
    const made = await admin().post(`/v4/platform/tenants/${parent}/children`, creation);
    const id = String(field(made.json, "id"));
    const purged = await admin().post(`/v4/platform/tenants/${parent}/children/${id}/delete`);
    expect(purged.status, purged.text).toBe(200);
    const [entry] = await logOf(admin(), auditPath(parent));
    expect(entry).toMatchObject({ action: "workspaceRemoval.purgeChild", outcome: "done" });
    await the().platform.services.audit.flush();
    const ofLeaf = `delete from audit_entries where workspace_id = '${id}'`;
    expect(await changed(the(), ofLeaf)).toEqual({ changedRows: 0 });
  });

  test("has nothing of a workspace whose purge has begun", async () => {
    const id = await newRoot(the());
    const { audit } = the().platform.services;
    await audit.flush();
    await changed(the(), `delete from audit_heads where workspace_id = '${id}'`);
    const headers = { "x-tenant-id": id };
    const refused = await admin().post("/v4/data/resources/object-types", {}, { headers });
    expect(refused.status).toBe(422);
    const mark = `update workspaces set purge_id = 'begun' where id = '${id}'`;
    expect(await changed(the(), mark)).toEqual({ changedRows: 1 });
    await audit.flush();
    const heads = `delete from audit_heads where workspace_id = '${id}'`;
    expect(await changed(the(), heads)).toEqual({ changedRows: 0 });
  });
});

describePlatform(
  "the audit log of records",
  (the) => {
    test("has a create, a refused create and a refused read, once each", async () => {
      const { tenant } = the().workspaces;
      const headers = { "x-tenant-id": tenant };
      const builder = the().as("tenant-builder");
      await builder.post("/v4/data/resources/object-types", noteType, { headers });
      const notes = `/v4/data/resources/${tenant}/note`;
      const made = await the().as("tenant-staff").post(notes, { text: "one" });
      expect(made.status).toBe(201);
      expect((await the().as("tenant-staff").post(notes, { text: 7 })).status).toBe(422);
      expect((await the().as("tenant-viewer").post(notes, { text: "one" })).status).toBe(403);
      expect((await the().as("outsider").get(notes)).status).toBe(404);
      const admin = the().as("tenant-admin");
      const find = () => logOf(admin, auditPath(tenant), "&action=resources.*&order=asc");
      await eventually(async () => expect(await find()).toHaveLength(4));
      expect((await find()).map(({ action, outcome, code }) => [action, outcome, code])).toEqual([
        ["resources.create", "done", null],
        ["resources.create", "refused", "validation-failed"],
        ["resources.create", "refused", "permission-denied"],
        ["resources.list", "refused", "not-found"],
      ]);
      const id = field(made.json, "id");
      expect((await find())[0]).toMatchObject({ changes: { target: { id, version: 1 } } });
    });
  },
  { alsoInThread: true },
);

describePlatform(
  "the retention of the audit log",
  (the) => {
    test("removes the oldest entries, and the rest stays chained", async () => {
      const workspace = await newRoot(the());
      await newMember(the(), workspace);
      const path = auditPath(workspace);
      const admin = the().as("system-admin");
      const before = await logOf(admin, path, "&order=asc");
      the().advance(3_600_000 * 20);
      await admin.post(`${membersPath(workspace)}/invite`, {
        email: "late@example.org",
        role: "tenant-viewer",
      });
      await the().platform.services.audit.clean();
      const head = (await admin.get(`${path}/head`)).json as AuditHead;
      expect(head).toMatchObject({
        removedSequence: before.length,
        removedDigest: before.at(-1)?.digest,
      });
      const [first] = await logOf(admin, path, "&order=asc");
      expect(first).toMatchObject({ sequence: before.length + 1, action: "members.invite" });
      expect(auditDigest(head.removedDigest, first!)).toBe(first?.digest);
    });
  },
  { limits: { auditDays: 0.5 } },
);

describe("a digest", () => {
  test("does not depend on the order of members, but on each value", () => {
    const one = { sequence: 1, changes: { a: 1, b: [{ c: 2, d: null }] } };
    const same = { changes: { b: [{ d: null, c: 2 }], a: 1 }, sequence: 1, more: "ignored" };
    expect(auditDigest("x", same)).toBe(auditDigest("x", one));
    expect(auditDigest("y", one)).not.toBe(auditDigest("x", one));
    expect(auditDigest("x", { ...one, sequence: 2 })).not.toBe(auditDigest("x", one));
    expect(auditDigest("x", { ...one, changes: { a: 1, b: [] } })).not.toBe(auditDigest("x", one));
  });
});
