import { expect, test } from "vitest";
import { describePlatform, field, type TestPlatform } from "#test/support/platform.ts";
import type { AuditEntry } from "#contract/workspaces/audit.ts";
import { auditDigest, erasedDigest } from "#lib/audit-chain.ts";
import { raw } from "#server/database/statement.ts";
import { newRoot } from "../server/domains/members/world.ts";
import { runCommand } from "./world.ts";

interface Log {
  verify(words?: string): Promise<{ readonly exitCode: number; readonly json?: unknown }>;
  /** Erases a record that was made by an upsert. */
  erase(): Promise<void>;
  /** Changes the database as an administrator of it could. */
  rewrite(...texts: readonly string[]): Promise<void>;
  entries(): Promise<AuditEntry[]>;
}

const unique = { type: "string", unique: true } as const;

/** The log of a new workspace with `count` entries. */
async function newLog(the: TestPlatform, count: number): Promise<Log> {
  const id = await newRoot(the);
  const headers = { "x-tenant-id": id };
  for (let each = 0; each < count; each += 1) {
    await the.as("system-admin").post("/v4/data/resources/object-types", {}, { headers });
  }
  await the.platform.services.audit.flush();
  return {
    async erase() {
      const caller = the.as("system-admin");
      const type = { name: "Note", slug: "note", properties: { code: unique } };
      await caller.post("/v4/data/resources/object-types", type, { headers });
      const notes = `/v4/data/resources/${id}/note`;
      const made = await caller.put(`${notes}/by/code/secret`, { data: {} });
      await caller.delete(`${notes}/${String(field(made.json, "id"))}?permanent=true`);
    },
    async entries() {
      const path = `/v4/platform/tenants/${id}/audit?order=asc&limit=100`;
      return field((await the.as("system-admin").get(path)).json, "items") as AuditEntry[];
    },
    verify: (words = "") =>
      runCommand(`audit verify --workspace ${id} --format json ${words}`.trim().split(" "), {
        fetch: (request) => the.platform.fetch(request),
        token: the.users["system-admin"].token,
      }),
    async rewrite(...texts) {
      const work = the.platform.platformWork("someone with access to the database");
      for (const text of texts) {
        await work.write((tx) => tx.run(raw(text.replaceAll("$id", `'${id}'`))));
      }
    },
  };
}

const cutFront = [
  `update audit_heads set removed_sequence = 3, removed_digest = (select digest from audit_entries
    where workspace_id = $id and sequence = 3) where workspace_id = $id`,
  "delete from audit_entries where workspace_id = $id and sequence <= 3",
];
const cutEnd = [
  "delete from audit_entries where workspace_id = $id and sequence > 3",
  `update audit_heads set sequence = 3, digest = (select digest from audit_entries
    where workspace_id = $id and sequence = 3) where workspace_id = $id`,
];
const columns = `at, request_id, actor, actor_name, action, outcome, status, code, method, path,
  address`;
/** Entries never change, so an administrator of the database removes one and adds another. */
const forgedErasure = [
  `insert into audit_entries (workspace_id, sequence, ${columns}, changes, digest)
    select workspace_id, -1, ${columns}, '{"erased":"2026-11-21"}', digest from audit_entries
    where workspace_id = $id and sequence = 2`,
  "delete from audit_entries where workspace_id = $id and sequence = 2",
  `insert into audit_entries (workspace_id, sequence, ${columns}, changes, digest)
    select workspace_id, 2, ${columns}, changes, digest from audit_entries
    where workspace_id = $id and sequence = -1`,
  "delete from audit_entries where workspace_id = $id and sequence = -1",
];
/** An entry of an erasure at the end of the log, with a head that fits, which names entry 2. */
function forgedErasureOf([last, second]: [AuditEntry, AuditEntry]): string[] {
  const hidden = { ...second, changes: { erased: "2026-11-21" } };
  const changes = {
    target: { ids: [] },
    after: { erasedEntries: [2], erasedDigests: [erasedDigest(hidden)], signature: "forged" },
  };
  const sequence = last.sequence + 1;
  const entry = { ...last, sequence, action: "resources.erase", changes };
  const digest = auditDigest(last.digest, entry);
  return [
    ...forgedErasure,
    `insert into audit_entries (workspace_id, sequence, ${columns}, changes, digest)
      select workspace_id, ${sequence}, ${columns.replace("action", "'resources.erase'")},
        '${JSON.stringify(changes)}', '${digest}' from audit_entries
      where workspace_id = $id and sequence = ${last.sequence}`,
    `update audit_heads set sequence = ${sequence}, digest = '${digest}' where workspace_id = $id`,
  ];
}

const wholeLog = ["entries", "heads", "seals"].map(
  (name) => `delete from audit_${name} where workspace_id = $id`,
);
const altered = { ok: false, fault: expect.stringContaining("does not fit the head") };

describePlatform("audit verify", (the) => {
  test.each([
    ["the front", cutFront],
    ["the end", cutEnd],
  ])("finds a log that was cut at %s, with a head that fits", async (_where, cut) => {
    const log = await newLog(the(), 6);
    const { json } = await log.verify();
    expect(json).toMatchObject({ ok: true, removed: null });
    await log.rewrite(...cut);
    expect(await log.verify()).toMatchObject({ exitCode: 1, json: altered });
    // Later entries, and a seal of the platform for them, do not hide it.
    await the().platform.services.audit.flush();
    expect(await log.verify()).toMatchObject({ exitCode: 1, json: altered });
    // A log without its seal is also found.
    await log.rewrite("delete from audit_seals where workspace_id = $id");
    the().advance(2 * 60 * 1000);
    expect(await log.verify()).toMatchObject({
      exitCode: 1,
      json: { fault: "the platform has not signed the head of this log" },
    });
  });

  test.each([
    ["the front", cutFront],
    ["the end", cutEnd],
  ])("finds a cut at %s by an earlier head, whatever the database says", async (_where, cut) => {
    const log = await newLog(the(), 6);
    const { json } = await log.verify();
    const head = String(field(json, "head"));
    await log.rewrite(...cut, "delete from audit_seals where workspace_id = $id");
    const later = await log.verify(`--head ${head}`);
    expect(later).toMatchObject({ exitCode: 1, json: { ok: false } });
  });

  test("a log has its seal with the creation of its workspace", async () => {
    const id = await newRoot(the());
    const work = the().platform.platformWork("the seal of a new log");
    const query = raw(`select sequence from audit_seals where workspace_id = '${id}'`);
    expect(await work.read.all(query)).toHaveLength(1);
  });

  test("a seal that was written by hand is no seal", async () => {
    const log = await newLog(the(), 6);
    await log.verify();
    await log.rewrite(
      ...cutFront,
      `update audit_seals set removed_sequence = 3, removed_digest = (select removed_digest
        from audit_heads where workspace_id = $id) where workspace_id = $id`,
    );
    expect(await log.verify()).toMatchObject({ exitCode: 1, json: altered });
  });

  test("finds a changed entry that a forged entry of an erasure names", async () => {
    const log = await newLog(the(), 6);
    const { json } = await log.verify();
    const [, second, ...others] = await log.entries();
    const last = others.at(-1);
    if (second === undefined || last === undefined) throw new Error("the log has no entries");
    await log.rewrite(...forgedErasureOf([last, second]));
    for (const words of ["", `--head ${String(field(json, "head"))}`]) {
      expect(await log.verify(words)).toMatchObject({
        exitCode: 1,
        json: { fault: expect.stringContaining("the platform has not signed it") },
      });
    }
  });

  test("finds a log that was removed as a whole and began again", async () => {
    const [log, quiet] = [await newLog(the(), 2), await newLog(the(), 0)];
    const { audit } = the().platform.services;
    await log.verify();
    await quiet.verify();
    the().advance(2 * 60 * 60 * 1000);
    expect((await quiet.verify()).json).toMatchObject({ ok: true });
    await log.rewrite(...wholeLog);
    const unsigned = { fault: "the platform has not signed the head of this log" };
    expect((await log.verify()).json).toMatchObject(unsigned);
    await log.erase();
    await audit.flush();
    expect((await log.verify()).json).toMatchObject(unsigned);
    // The removal of the secret that says since when logs are signed makes none trusted.
    await log.rewrite("delete from secrets where name = 'audit seals'");
    await audit.begin();
    expect((await log.verify()).json).toMatchObject(unsigned);
    await quiet.erase();
    expect((await quiet.verify()).json).toMatchObject({
      ok: true,
      signedSince: expect.stringMatching(/^\d{4}-/),
    });
  });

  test("accepts what an erasure has removed, and only with the entry that names it", async () => {
    const log = await newLog(the(), 6);
    await log.erase();
    expect((await log.verify()).json).toMatchObject({ ok: true, erased: 1 });
    await log.rewrite(...forgedErasure);
    expect(await log.verify()).toMatchObject({
      exitCode: 1,
      json: { fault: "entry 2 was changed, and no entry of an erasure names it" },
    });
  });
});
