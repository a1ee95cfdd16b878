import { rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { restoreBackup } from "#server/platform/backup/restore.ts";
import { takeBackup } from "#server/platform/backup/take.ts";
import { createTestPlatform, field, type Answered } from "#test/support/platform.ts";
import {
  createSqliteDatabase,
  createTestDatabase,
  missingPostgres,
} from "#test/support/postgres.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { tracesOf } from "../../domains/purges/world.ts";

const note = {
  name: "Note",
  slug: "note",
  properties: {
    text: { type: "string", searchable: true, unique: true },
    about: { type: "reference", targetObjectType: "note", onDelete: "restrict" },
  },
};

const idOf = ({ json }: Answered): string => String(field(json, "id"));

/** A platform with three notes and a child, and its backup before two of them were erased. */
async function scene() {
  const folder = await temporaryDirectory("erased-backups");
  const the = await createTestPlatform({ database: await createSqliteDatabase() });
  const { dataDirectory, databaseUrl, workspaces, users } = the;
  const admin = the.as("tenant-admin");
  const headers = { "x-tenant-id": workspaces.tenant };
  await admin.post("/v4/data/resources/object-types", note, { headers });
  const notes = `/v4/data/resources/${workspaces.tenant}/note`;
  const gone = idOf(await admin.post(notes, { text: "zqgonebackup" }));
  const deleted = idOf(await admin.post(notes, { text: "zqdeletedbackup" }));
  const kept = idOf(await admin.post(notes, { text: "zqkeptbackup", about: gone }));
  await admin.put(`${notes}/by/text/zqgonebackup`, { data: {} });
  await admin.delete(`${notes}/${deleted}`);
  const backup = (name: string) =>
    takeBackup({ dataDirectory, databaseUrl, output: join(folder, name) });
  const first = await backup("first");
  // The restored database still has the reference that forbids the deletion.
  await admin.patch(`${notes}/${kept}`, { data: { about: null } });
  for (const id of [gone, deleted]) {
    expect((await admin.delete(`${notes}/${id}?permanent=true`)).status).toBe(204);
  }
  const { tenant, child } = workspaces;
  const purge = `/v4/platform/tenants/${tenant}/children/${child}/delete`;
  expect((await admin.post(purge)).status).toBe(200);
  const restored = async (options: Omit<Parameters<typeof restoreBackup>[0], "dataDirectory">) => {
    const target = await temporaryDirectory("restored");
    const report = await restoreBackup({ ...options, dataDirectory: target });
    const path = join(target, "svc.db");
    const database = {
      engine: "sqlite",
      url: `sqlite:${path}`,
      path,
      drop: async () => {},
    } as const;
    const started = await createTestPlatform({
      database,
      residents: { workspaces, users },
      options: { dataDirectory: target, keyFile: join(dataDirectory, "svc.key") },
    });
    return { report, started };
  };
  return { the, folder, first, backup, notes, gone, deleted, kept, child, restored };
}

test("a restored backup erases and purges again what was erased since, before it serves", async () => {
  const { the, first, notes, gone, kept, child, restored } = await scene();
  await the.platform.services.erasures.settle();
  await the.close();
  const { report, started } = await restored({ input: first.output });
  expect(report.erasures).toBe(3);
  try {
    await started.platform.services.purges.idle();
    await started.platform.services.erasures.idle();
    const admin = started.as("tenant-admin");
    expect((await admin.get(`${notes}/${gone}/history`)).status).toBe(404);
    expect((await admin.get(`${notes}/${kept}`)).status).toBe(200);
    expect((await admin.get(`/v4/platform/tenants/${child}/members`)).status).toBe(404);
    for (const text of ["zqgonebackup", "zqdeletedbackup"]) {
      expect(await tracesOf(started, text)).toEqual([]);
    }
    const log = await admin.get(`/v4/platform/tenants/${started.workspaces.tenant}/audit/head`);
    expect(log.json).toMatchObject({ seal: "valid" });
  } finally {
    await started.close();
  }
});

test("a backup that was moved away takes the list of a later one", async () => {
  const { the, folder, first, backup, notes, gone, restored } = await scene();
  const moved = join(folder, "moved");
  await rename(first.output, moved);
  const id = idOf(await the.as("tenant-admin").post(notes, { text: "zqlaterbackup" }));
  expect((await the.as("tenant-admin").delete(`${notes}/${id}?permanent=true`)).status).toBe(204);
  const later = await backup("later");
  await the.close();
  const { report, started } = await restored({ input: moved, erasuresFrom: later.output });
  expect(report.erasures).toBeGreaterThanOrEqual(3);
  const admin = started.as("tenant-admin");
  expect((await admin.get(`${notes}/${gone}/history`)).status).toBe(404);
  await started.close();
});

test.skipIf(missingPostgres !== undefined)(
  "a restored copy of a PostgreSQL database erases what was erased since the copy",
  async () => {
    const folder = await temporaryDirectory("erased-copies");
    const database = await createTestDatabase();
    const before = await createTestPlatform({ database });
    const { dataDirectory, databaseUrl, workspaces, users } = before;
    const notes = `/v4/data/resources/${workspaces.tenant}/note`;
    const admin = before.as("tenant-admin");
    const headers = { "x-tenant-id": workspaces.tenant };
    await admin.post("/v4/data/resources/object-types", note, { headers });
    const gone = idOf(await admin.post(notes, { text: "zqgonecopy" }));
    const kept = idOf(await admin.post(notes, { text: "zqkeptcopy" }));
    const output = join(folder, "first");
    await takeBackup({ dataDirectory, databaseUrl, output });
    await before.close();
    // The operator's dump: PostgreSQL copies a database that has no connection.
    const template = new URL(databaseUrl).pathname.slice(1);
    const copy = await createTestDatabase({ template });
    const residents = { workspaces, users };
    const keyFile = join(dataDirectory, "svc.key");
    const after = await createTestPlatform({ database, residents, options: { dataDirectory } });
    const path = `${notes}/${gone}?permanent=true`;
    expect((await after.as("tenant-admin").delete(path)).status).toBe(204);
    await after.close();
    const target = await temporaryDirectory("restored-copy");
    const { erasures } = await restoreBackup({ input: output, dataDirectory: target });
    expect(erasures).toBe(1);
    const options = { dataDirectory: target, keyFile };
    const started = await createTestPlatform({ database: copy, residents, options });
    try {
      await started.platform.services.erasures.idle();
      const reader = started.as("tenant-admin");
      expect((await reader.get(`${notes}/${gone}`)).status).toBe(404);
      expect((await reader.get(`${notes}/${gone}/history`)).status).toBe(404);
      expect((await reader.get(`${notes}/${kept}`)).status).toBe(200);
      expect(await tracesOf(started, "zqgonecopy")).toEqual([]);
    } finally {
      await started.close();
      await copy.drop();
      await database.drop();
    }
  },
);
