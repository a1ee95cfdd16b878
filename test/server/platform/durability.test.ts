import { chmod, mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { CatalogError } from "#contract/errors.ts";
import { health } from "#contract/platform/health.ts";
import { LogSync } from "#server/database/sqlite/log-sync.ts";
import { raw } from "#server/database/statement.ts";
import { diagnose } from "#server/platform/maintenance/offline-doctor.ts";
import { serve, type Served, type ServeOptions } from "#server/serve.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { eventually } from "#test/support/eventually.ts";
import { createTestDatabase, missingPostgres } from "#test/support/postgres.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { openWhole } from "#test/support/databases.ts";

const running: Served[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(running.splice(0).map((served) => served.stop()));
});

async function start(options: Partial<ServeOptions> & { dataDirectory: string }): Promise<Served> {
  const served = await serve({
    host: "127.0.0.1",
    port: 0,
    extractionCommand: [],
    log: () => {},
    ...options,
  });
  running.push(served);
  return served;
}

async function refusal(options: Parameters<typeof start>[0]): Promise<CatalogError> {
  const error: unknown = await start(options).catch((thrown: unknown) => thrown);
  if (error instanceof CatalogError) return error;
  throw new Error("it started");
}

const newDirectory = async (): Promise<string> =>
  join(await temporaryDirectory("durability"), "data");

async function makeWorkspace(served: Served): Promise<Response> {
  const { token } = await served.platform.mintToken({ ttlMs: 60_000 });
  return fetch(`${served.url}/v4/platform/tenants`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ slug: `w-${crypto.randomUUID()}`, displayName: "W", homeRegion: "eu" }),
  });
}

describe("after a sync that failed", () => {
  test("health is down and writes are refused until the restart", async () => {
    const dataDirectory = await newDirectory();
    const served = await start({ dataDirectory });
    const at = `${served.url}/v4/data/resources/health`;
    expect((await fetch(at)).status).toBe(200);
    const broken = vi
      .spyOn(LogSync.prototype, "sync")
      .mockRejectedValueOnce(new Error("input/output error"));
    expect((await makeWorkspace(served)).status).toBeGreaterThanOrEqual(500);
    expect(broken).toHaveBeenCalled();
    // The next sync would succeed, without the bytes that were lost.
    expect((await makeWorkspace(served)).status).toBeGreaterThanOrEqual(500);
    const down = await eventually(async () => {
      const response = await fetch(at);
      expect(response.status).toBe(503);
      return response.json();
    });
    expect(down).toMatchObject({
      detail: expect.stringMatching(/^Down: database \(could not make a write durable/),
      components: {
        database: { status: "down", detail: expect.stringContaining("restart the platform") },
      },
    });
    await served.stop();
    broken.mockRestore();
    const again = await start({ dataDirectory });
    expect((await fetch(`${again.url}/v4/data/resources/health`)).status).toBe(200);
    expect((await makeWorkspace(again)).ok).toBe(true);
  });
});

describe("a data directory", () => {
  test("whose database is missing is refused, and not started empty", async () => {
    const dataDirectory = await newDirectory();
    await (await start({ dataDirectory })).stop();
    const database = join(dataDirectory, "svc.db");
    await rename(database, `${dataDirectory}.kept`);
    const error = await refusal({ dataDirectory });
    expect(error).toMatchObject({
      code: "E006",
      message: expect.stringContaining(`its database ${database} is missing`),
      hint: expect.stringContaining("svc serve restore"),
    });
    expect(await stat(database).catch(() => "missing")).toBe("missing");
    await rename(`${dataDirectory}.kept`, database);
    await start({ dataDirectory });
  });

  test.each([
    ["files without a database", "blobs/0192f000-0000-7000-8000-000000000001/a", /is missing/],
    ["a database that is still being copied", "svc.db.restoring", /restore was interrupted/],
    ["the log of a database alone", "svc.db-wal", /is missing/],
  ])("with %s is refused", async (_name, file, message) => {
    const dataDirectory = await newDirectory();
    await mkdir(join(dataDirectory, file, ".."), { recursive: true });
    await writeFile(join(dataDirectory, file), "a part");
    expect((await refusal({ dataDirectory })).message).toMatch(message);
  });

  test("with another directory's database is refused", async () => {
    const [own, other] = [await newDirectory(), await newDirectory()];
    await (await start({ dataDirectory: own })).stop();
    await (await start({ dataDirectory: other })).stop();
    await rm(join(own, "svc.db"));
    await rename(join(other, "svc.db"), join(own, "svc.db"));
    // Both have the key of that database, so only the directory itself shows the difference.
    await rename(join(other, "svc.key"), join(own, "svc.key"));
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await refusal({ dataDirectory: own })).toMatchObject({
        code: "E006",
        message: expect.stringContaining("belong to another database"),
      });
    }
  });

  test("that every user may write to, and files of no workspace, are named by the doctor", async () => {
    const dataDirectory = await newDirectory();
    await (await start({ dataDirectory })).stop();
    const orphan = join(dataDirectory, "blobs", "0192f000-0000-7000-8000-000000000009");
    await mkdir(orphan, { recursive: true });
    await chmod(orphan, 0o777);
    await chmod(dataDirectory, 0o707);
    const options = { dataDirectory, withDigests: false };
    const found = await diagnose({ ...options, fix: false });
    expect(found).toMatchObject({
      ok: false,
      findings: [
        { code: "directory-writable", count: 2, examples: [dataDirectory, orphan], fixed: false },
        { code: "blob-orphaned", count: 1, examples: [orphan] },
      ],
    });
    const fixed = await diagnose({ ...options, fix: true });
    expect(fixed.findings).toMatchObject([{ fixed: true }, { fixed: false }]);
    expect((await stat(dataDirectory)).mode & 0o777).toBe(0o700);
    expect((await stat(orphan)).mode & 0o002).toBe(0);
  });
});

describeNeeding("on PostgreSQL", missingPostgres, () => {
  test("each session has synchronous_commit on, whatever the database has", async () => {
    const database = await createTestDatabase();
    try {
      const options = { url: database.url, migrations: [], poolSize: 2 };
      const first = await openWhole(options);
      await first.write(async (writer) => {
        const name = new URL(database.url).pathname.slice(1);
        // The platform's role does not own the database.
        await writer.run(raw("set local role none"));
        await writer.run(raw(`alter database "${name}" set synchronous_commit = off`));
      });
      await first.close();
      const opened = await openWhole(options);
      const shown = raw("select current_setting('synchronous_commit') as value");
      expect(await opened.write((writer) => writer.all(shown))).toEqual([{ value: "on" }]);
      expect(await opened.read.all(shown)).toEqual([{ value: "on" }]);
      await opened.close();
    } finally {
      await database.drop();
    }
  });

  test("a server that does not sync is named at the start, by health and by the doctor", async () => {
    const database = await createTestDatabase();
    try {
      const dataDirectory = await newDirectory();
      const lines: string[] = [];
      const log = (line: string): unknown => lines.push(line);
      // The server of the tests has both settings off.
      const served = await start({ dataDirectory, databaseUrl: database.url, log });
      expect(lines.join("\n")).toMatch(/WARNING: the PostgreSQL server has fsync=off/);
      const answer = await fetch(`${served.url}/v4/data/resources/health`);
      expect(health.parse(await answer.json()).warnings).toEqual([
        expect.stringContaining("fsync=off"),
        expect.stringContaining("full_page_writes=off"),
      ]);
      await served.stop();
      const options = { dataDirectory, databaseUrl: database.url, withDigests: false };
      const { findings } = await diagnose({ ...options, fix: false });
      expect(findings).toMatchObject([{ code: "durability-off", count: 2 }]);
    } finally {
      await Promise.all(running.splice(0).map((served) => served.stop()));
      await database.drop();
    }
  });

  test("a database that is not the one of the directory is refused", async () => {
    const [one, other] = [await createTestDatabase(), await createTestDatabase()];
    try {
      const dataDirectory = await newDirectory();
      await (await start({ dataDirectory, databaseUrl: one.url })).stop();
      expect(await refusal({ dataDirectory, databaseUrl: other.url })).toMatchObject({
        message: expect.stringContaining("belong to another database"),
      });
    } finally {
      await Promise.all([one.drop(), other.drop()]);
    }
  });
});
