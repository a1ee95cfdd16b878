import { beforeAll, expect, test } from "vitest";
import { isSignedBy } from "#lib/archive/audit-signature.ts";
import { statement } from "#server/database/statement.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { allEvents } from "../../work/stored-events.ts";
import {
  archivesPath,
  fillWorkspace,
  importedArchive,
  takenArchive,
  textOfDocument,
  textsOf,
} from "./world.ts";

describePlatform("an archive of a workspace", (the) => {
  beforeAll(() => fillWorkspace(the()));

  test("has records with history, files, documents with text and passages, and settings", async () => {
    const { bytes, manifest } = await takenArchive(the());
    const counts = new Map(manifest.parts.map(({ name, count }) => [name, count]));
    expect(Object.fromEntries(counts)).toMatchObject({
      "object-types": 7,
      "records/application": 5,
      "records/officer": 1,
      "record-files": 2,
      documents: 1,
      "document-pages": 1,
      "document-passages": 1,
      roles: 1,
      "webhook-endpoints": 1,
    });
    expect(counts.get("members")).toBeGreaterThanOrEqual(4);
    expect(counts.get("audit")).toBeGreaterThan(5);
    expect(manifest.files.count).toBe(3);
    const texts = await textsOf(bytes);
    const [first = ""] = (texts.get("records/application/000001.ndjson") ?? "").split("\n");
    const record: unknown = JSON.parse(first);
    expect(field(record, "data")).toMatchObject({ reference: "A-1", zeta: 10 });
    expect(field(record, "history")).toMatchObject([
      { version: 1, operation: "create" },
      { version: 2, changes: [{ op: "test" }, { op: "replace", path: "/zeta", value: 10 }] },
      { version: 3, changes: [{ op: "add", path: "/plan" }] },
    ]);
    expect([...texts.values()]).toContain("The plan 1.");
    expect([...texts.values()]).toContain(textOfDocument);
    expect(texts.get("document-pages/000001.ndjson")).toContain("two metres high");
  });

  test("has no password, key, secret or address of a webhook", async () => {
    const texts = await textsOf((await takenArchive(the())).bytes);
    const all = [...texts.values()].join("\n");
    for (const word of ["password_hash", "token_hash", "whsec_", "secret-path-4711", "signing_key"])
      expect(all).not.toContain(word);
    const { secrets } = the().platform;
    expect(all).not.toContain(Buffer.from(secrets.master).toString("base64url"));
  });

  test("has an audit log that its platform has signed", async () => {
    const { manifest } = await takenArchive(the());
    const { audit, workspace, parts } = manifest;
    if (audit === undefined) throw new Error("the manifest has no audit log");
    expect(audit.sha256).toBe(parts.find(({ name }) => name === "audit")?.sha256);
    expect(isSignedBy(workspace.id, audit)).toBe(true);
    expect(isSignedBy(workspace.id, { ...audit, sequence: audit.sequence + 1 })).toBe(false);
    expect(isSignedBy(the().workspaces.other, audit)).toBe(false);
  });

  test("has a document in the state in which its import stores it", async () => {
    const work = the().platform.platformWork("a test");
    const setTo = (status: string) =>
      work.write((tx) => tx.run(statement`update documents set status = ${status}`));
    const before = await work.read.first<{ status: string }>(
      statement`select status from documents where workspace_id = ${the().workspaces.tenant}`,
    );
    await setTo("processing");
    const { bytes } = await takenArchive(the(), undefined, { groups: ["documents"] });
    await setTo(before?.status ?? "");
    const line: unknown = JSON.parse((await textsOf(bytes)).get("documents/000001.ndjson") ?? "");
    expect(line).toMatchObject({ status: "failed", error: { code: "interrupted" } });
  });

  test("has the groups that were asked for", async () => {
    const { manifest } = await takenArchive(the(), undefined, { groups: ["types", "members"] });
    expect(manifest.parts.map(({ name }) => name)).toEqual(["object-types", "roles", "members"]);
    expect(manifest.files.count).toBe(0);
    expect(manifest.audit).toBeUndefined();
  });

  test("has one state although writes continue", async () => {
    const { tenant } = the().workspaces;
    const staff = the().as("tenant-staff");
    const path = `/v4/data/resources/${tenant}/officer`;
    let isOver = false;
    const writing = (async () => {
      let count = 0;
      while (!isOver) {
        const name = `Writer ${(count += 1)}`;
        await staff.post(path, { data: { name } });
      }
      return count;
    })();
    const first = await takenArchive(the(), tenant, { groups: ["records"] });
    const second = await takenArchive(the(), tenant, { groups: ["records"] });
    isOver = true;
    await writing;
    const countOf = ({ manifest }: typeof first): number =>
      manifest.parts.find(({ name }) => name === "records/officer")?.count ?? 0;
    expect(countOf(second)).toBeGreaterThanOrEqual(countOf(first));
  });

  test("belongs to its admin: others do not see it", async () => {
    const { tenant } = the().workspaces;
    const { id } = await takenArchive(the(), tenant, { groups: ["types"] });
    const path = archivesPath(tenant);
    for (const user of ["tenant-viewer", "tenant-staff", "tenant-builder"] as const) {
      const answer = await the().as(user).get(`${path}/${id}/content`);
      expect(answer.status, user).toBe(403);
    }
    expect((await the().as("outsider").get(`${path}/${id}/content`)).status).toBe(404);
    const listed = await the().as("tenant-admin").get(path);
    expect(listed.text).toContain(id);
    const second = await the().as("system-admin").get(`${path}/${id}/content`);
    expect([403, 404]).toContain(second.status);
  });

  test("is removed on request", async () => {
    const { tenant } = the().workspaces;
    const { id } = await takenArchive(the(), tenant, { groups: ["types"] });
    const admin = the().as("tenant-admin");
    const path = `${archivesPath(tenant)}/${id}`;
    expect((await admin.delete(path)).status).toBe(204);
    expect((await admin.get(path)).status).toBe(404);
    expect((await admin.get(`${path}/content`)).status).toBe(404);
  });

  test("and its import are in the audit log with their caller, and their jobs in the feed", async () => {
    const { other } = the().workspaces;
    const owner = the().as("outsider");
    const { id, bytes } = await takenArchive(the(), other, { groups: ["types"] }, "outsider");
    const { id: importId } = await importedArchive(the(), other, bytes, "outsider");
    expect((await owner.delete(`${archivesPath(other)}/${id}`)).status).toBe(204);
    const { json } = await owner.get(`/v4/platform/tenants/${other}/audit?limit=3`);
    const { oid: actor } = the().users.outsider;
    expect(field(json, "items")).toMatchObject([
      { action: "archives.remove", actor, changes: { target: { archiveId: id } } },
      { action: "archives.import", actor, changes: { target: { importId } } },
      { action: "archives.create", actor, changes: { target: { archiveId: id } } },
    ]);
    const everywhere = the().platform.platformWork("the events of jobs");
    const events = (await allEvents(everywhere)).filter(
      ({ kind, workspaceId }) => kind === "job" && workspaceId === other,
    );
    expect(new Set(events.map(({ subject }) => subject))).toEqual(new Set([id, importId]));
  });

  test("is gone after 24 hours, with its file", async () => {
    const { tenant } = the().workspaces;
    const { id } = await takenArchive(the(), tenant, { groups: ["types"] });
    const { archives } = the().platform.services;
    const path = `${archivesPath(tenant)}/${id}`;
    the().advance(24 * 60 * 60 * 1000 + 1000);
    expect((await the().as("tenant-admin").get(`${path}/content`)).status).not.toBe(200);
    await archives.sweep();
    const { read } = the().platform.platformWork("the archives that are left");
    const left = await read.all(statement`select 1 from workspace_archives`);
    expect(left).toEqual([]);
  });
});
