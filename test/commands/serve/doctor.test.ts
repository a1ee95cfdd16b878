import { randomBytes } from "node:crypto";
import { appendFile, chmod, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SqliteConnection } from "#server/database/sqlite/sqlite-connection.ts";
import { makeContext, uploaded } from "#test/support/document-forms.ts";
import { field } from "#test/support/platform.ts";
import { fakeRelease } from "#test/support/fake-release.ts";
import { ownNeeds, type ReleaseNeeds } from "#local/release/needs.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { runCommand } from "../world.ts";
import { makeNote, makeNotes, running, start } from "./data-directories.ts";

describe("svc serve doctor", () => {
  const doctor = async (dataDir: string, ...words: readonly string[]) =>
    runCommand(["serve", "doctor", "--data-dir", dataDir, ...words, "--format", "json"]);

  /** A directory with every known fault except a damaged database. */
  async function broken(): Promise<{ dataDir: string; ids: string[]; tenant: string }> {
    const the = await start();
    await makeNotes(the);
    const context = await makeContext(the);
    const ids = [await makeNote(the, 1), await makeNote(the, 2), await makeNote(the, 3)];
    await uploaded(the, context, "A letter about a lamp.");
    await uploaded(the, context, "Another letter about a lamp.");
    await the.close();
    running.splice(0);
    const { tenant } = the.workspaces;
    const root = join(the.dataDirectory, "blobs", tenant);
    const [first = "", second = ""] = (await readdir(root, { recursive: true })).filter((name) =>
      /[0-9a-f]{64}$/.test(name),
    );
    await rm(join(root, first));
    await appendFile(join(root, second), "!");
    await Bun.write(join(root, "ab", "cd", orphan), "unused");
    const connection = new SqliteConnection(join(the.dataDirectory, "svc.db"), { readonly: false });
    connection.run("update resources set t1 = '=wrong' where id = ?", [ids[0] ?? ""]);
    connection.run("update resources set data = jsonb(?) where id = ?", [
      `{"text":7,"number":2,"gone":true}`,
      ids[1] ?? "",
    ]);
    connection.run("drop index resources_t3", []);
    connection.close();
    return { dataDir: the.dataDirectory, ids, tenant };
  }

  test("compares the needs of a release with the data, and refuses other files", async () => {
    const the = await start();
    await the.close();
    running.splice(0);
    const dataDir = the.dataDirectory;
    const check = async (needs: Partial<ReleaseNeeds>) => {
      const folder = await fakeRelease({ version: "9.0.0", needs: { ...ownNeeds, ...needs } });
      return doctor(dataDir, `--release=${folder}/svc-9.0.0-linux-x64.tar.gz`);
    };
    const met = await check({});
    expect(met.json).toMatchObject({ ok: true, release: { ok: true } });
    const schema = String(field(met.json, "schema"));
    expect(schema).toMatch(/^\d{4}-/);
    const unmet = await check({ schema: "9000-later" });
    expect(unmet.exitCode).toBe(1);
    const release = { ok: false, reason: expect.stringContaining(`${dataDir} has "${schema}"`) };
    expect(unmet.json).toMatchObject({ ok: false, findings: [], release });
    const other = await doctor(dataDir, `--release=${join(dataDir, "svc.db")}`);
    expect(other.exitCode).not.toBe(0);
    expect(other.stdout).toContain("can't be read as a release");
  });

  test("finds each fault, suggests a repair, and makes safe repairs", async () => {
    const { dataDir, ids, tenant } = await broken();
    const found = await doctor(dataDir);
    expect(found.exitCode).toBe(1);
    expect(found.json).toMatchObject({
      ok: false,
      checked: { files: 2, records: expect.any(Number) },
      findings: expect.arrayContaining([
        expect.objectContaining({ code: "index-missing", subject: "resources_t3", fixed: false }),
        expect.objectContaining({ code: "blob-missing", workspaceId: tenant, count: 1 }),
        expect.objectContaining({ code: "blob-damaged", count: 1, fixable: false }),
        expect.objectContaining({
          code: "blob-orphaned",
          count: 1,
          examples: [orphan],
          fixable: true,
        }),
        expect.objectContaining({
          code: "record-unfit",
          subject: "note",
          count: 1,
          examples: [expect.stringContaining(`${ids[1]} #/`)],
          mend: expect.stringContaining("svc resources update"),
        }),
        expect.objectContaining({
          code: "index-out-of-step",
          subject: "note.text",
          count: 2,
          examples: [ids[0], ids[1]],
        }),
      ]),
    });
    expect(field(found.json, "findings")).toHaveLength(6);

    const fixed = await doctor(dataDir, "--fix");
    expect(fixed.exitCode).toBe(1);
    const again = await doctor(dataDir);
    const codes = field(again.json, "findings");
    expect(codes).toMatchObject([
      { code: "blob-missing" },
      { code: "blob-damaged" },
      { code: "record-unfit" },
    ]);
    const text = await runCommand(["serve", "doctor", "--data-dir", dataDir]);
    expect(text.stdout).toContain("✗ record-unfit note (1)");
    expect(text.stderr).toContain("findings remain");
  });

  test("--fix creates a unique index after filling its values, in one run", async () => {
    const the = await start();
    const headers = { "x-tenant-id": the.workspaces.tenant };
    const type = {
      name: "Bay",
      slug: "bay",
      properties: { code: { type: "string", unique: true } },
    };
    await the.as("tenant-builder").post("/v4/data/resources/object-types", type, { headers });
    for (const code of ["A1", "A2"]) {
      await the
        .as("tenant-staff")
        .post(`/v4/data/resources/${the.workspaces.tenant}/bay`, { code });
    }
    await the.close();
    running.splice(0);
    const path = join(the.dataDirectory, "svc.db");
    const connection = new SqliteConnection(path, { readonly: false });
    connection.run("drop index resources_u1", []);
    connection.run("update resources set u1 = 'equal' where u1 is not null", []);
    connection.close();
    const result = await doctor(the.dataDirectory, "--fix");
    expect(result).toMatchObject({ exitCode: 0, json: { ok: true } });
    expect(field(result.json, "findings")).toMatchObject([
      { code: "index-missing", subject: "resources_u1", fixed: true },
      { code: "index-out-of-step", subject: "bay.code", count: 2, fixed: true },
    ]);
    expect(await doctor(the.dataDirectory)).toMatchObject({ exitCode: 0, json: { findings: [] } });
  });

  test("--fix is refused while a platform serves the directory; a check is not", async () => {
    const the = await start();
    expect(await doctor(the.dataDirectory)).toMatchObject({ exitCode: 0, json: { ok: true } });
    expect(await doctor(the.dataDirectory, "--fix")).toMatchObject({
      exitCode: 1,
      json: { error: { code: "E205", hint: "Stop its `svc serve` first" } },
    });
  });

  test("a damaged database file is a finding, not an error", async () => {
    const the = await start();
    await makeNotes(the);
    for (let number = 1; number <= 20; number += 1) await makeNote(the, number);
    await the.close();
    running.splice(0);
    const path = join(the.dataDirectory, "svc.db");
    const bytes = new Uint8Array(await Bun.file(path).arrayBuffer());
    bytes.fill(0x5a, 8192 * 2, bytes.byteLength);
    await Bun.write(path, bytes);
    const result = await doctor(the.dataDirectory);
    expect(result).toMatchObject({ exitCode: 1, json: { ok: false } });
    expect(field(result.json, "findings")).toMatchObject([
      { code: "database-damaged", mend: expect.stringContaining("svc serve restore") },
    ]);
  });

  test.each(["resource_files", "marks"])(
    "the table %s that is gone is a finding, and --fix repairs nothing then",
    async (table) => {
      const the = await start();
      await makeNotes(the);
      await the.close();
      running.splice(0);
      const { dataDirectory: dataDir, workspaces } = the;
      const path = join(dataDir, "blobs", workspaces.tenant, "ab", "cd", orphan);
      await Bun.write(path, "unused");
      const connection = new SqliteConnection(join(dataDir, "svc.db"), { readonly: false });
      connection.execute(`drop table ${table}`);
      connection.close();
      const result = await doctor(dataDir, "--fix");
      expect(result).toMatchObject({ exitCode: 1, json: { ok: false } });
      const findings = field(result.json, "findings");
      expect(Array.isArray(findings) ? findings[0] : undefined).toMatchObject({
        code: "database-damaged",
        examples: [`the table ${table} is gone`],
      });
      expect((await stat(path)).size).toBe(6);
    },
  );

  test("damaged JSON is reported with the other findings", async () => {
    const the = await start();
    await makeNotes(the);
    const id = await makeNote(the, 1);
    await the.close();
    running.splice(0);
    const { dataDirectory: dataDir, workspaces } = the;
    await Bun.write(join(dataDir, "blobs", workspaces.tenant, "ab", "cd", orphan), "unused");
    const connection = new SqliteConnection(join(dataDir, "svc.db"), { readonly: false });
    connection.run("update resources set data = x'5a5a5a5a' where id = ?", [id]);
    connection.close();
    const result = await doctor(dataDir);
    expect(result).toMatchObject({ exitCode: 1, json: { ok: false } });
    expect(field(result.json, "findings")).toMatchObject([
      { code: "blob-orphaned", count: 1 },
      { code: "database-damaged", count: 1 },
    ]);
  });

  test("--fix removes no file if the database is damaged", async () => {
    const the = await start();
    await makeNotes(the);
    for (let number = 1; number <= 20; number += 1) await makeNote(the, number);
    await the.close();
    running.splice(0);
    const { dataDirectory: dataDir, workspaces } = the;
    const file = join(dataDir, "blobs", workspaces.tenant, "ab", "cd", orphan);
    await Bun.write(file, "unused");
    await damageIndex(join(dataDir, "svc.db"), "resources_t1");
    const result = await doctor(dataDir, "--fix");
    expect(result).toMatchObject({ exitCode: 1, json: { ok: false } });
    expect(field(result.json, "findings")).toMatchObject([
      { code: "database-damaged", fixed: false },
      { code: "blob-orphaned", fixed: false },
    ]);
    expect(await Bun.file(file).text()).toBe("unused");
  });
});

describe("svc serve doctor finds what svc serve refuses", () => {
  const faults: Record<string, (dataDir: string) => Promise<unknown>> = {
    "its database .* is missing": async (dataDir) => {
      await Bun.write(join(dataDir, "svc.db"), "");
      await rm(join(dataDir, "svc.db-wal"), { force: true });
    },
    "is missing, and the database was used with one": (dataDir) => rm(join(dataDir, "svc.key")),
    "its mode is 0644": (dataDir) => chmod(join(dataDir, "svc.key"), 0o644),
    "it is not the key of this database": (dataDir) =>
      Bun.write(join(dataDir, "svc.key"), `${randomBytes(32).toString("base64url")}\n`),
    "its files belong to another database": (dataDir) =>
      Bun.write(join(dataDir, "svc.database"), `${"ab".repeat(32)}\n`),
    "svc.worker is not a file": async (dataDir) => {
      await rm(join(dataDir, "svc.worker"));
      await mkdir(join(dataDir, "svc.worker"));
    },
    "svc.key: it is not a file": async (dataDir) => {
      await rm(join(dataDir, "svc.key"));
      await Bun.spawn(["mkfifo", "-m", "600", join(dataDir, "svc.key")]).exited;
    },
    "the stored secret of their seals was changed": async (dataDir) =>
      changeData(dataDir, "update secrets set value = 'sealed1.x' where name = 'audit seals'"),
    "they move to sqlite": async (dataDir) =>
      changeData(
        dataDir,
        `insert into data_moves (name, state, detail, at)
          values ('to', 'read-only', 'sqlite:/srv/new', '2026-11-28T06:00:00.000Z')`,
      ),
  };
  test.for(Object.entries(faults))("%s", async ([detail, damage]) => {
    const the = await start();
    await the.close();
    running.splice(0);
    await damage(the.dataDirectory);
    const before = await Array.fromAsync(stateOf(the.dataDirectory));
    const words = ["serve", "doctor", "--data-dir", the.dataDirectory, "--format", "json"];
    const result = await runCommand(words);
    expect(result).toMatchObject({ exitCode: 1, json: { ok: false } });
    expect(field(result.json, "findings")).toMatchObject([
      { code: "start-refused", detail: expect.stringMatching(detail), fixed: false },
    ]);
    expect(await Array.fromAsync(stateOf(the.dataDirectory))).toEqual(before);
  });

  test("an empty file of a directory that was never used is no data", async () => {
    const dataDir = await temporaryDirectory("data");
    await Bun.write(join(dataDir, "svc.db"), "");
    const result = await runCommand(["serve", "doctor", "--data-dir", dataDir, "--format", "json"]);
    expect(result.json).toMatchObject({ error: { code: "E202" } });
    expect(Bun.file(join(dataDir, "svc.db")).size).toBe(0);
  });
});

function changeData(dataDir: string, text: string): void {
  const connection = new SqliteConnection(join(dataDir, "svc.db"), { readonly: false });
  connection.run(text, []);
  connection.close();
}

/** Name, size and mode of what a start reads first. */
async function* stateOf(dataDir: string): AsyncGenerator<readonly unknown[], void, void> {
  for (const name of ["svc.db", "svc.key", "svc.database"]) {
    const facts = await stat(join(dataDir, name)).catch(() => undefined);
    yield [name, facts?.size, facts?.mode];
  }
}

/** The digest of a file that was never stored. */
const orphan = `abcd${"0".repeat(60)}`;

/** Empties the page of an index; its table still has the rows. */
async function damageIndex(path: string, name: string): Promise<void> {
  const connection = new SqliteConnection(path, { readonly: true });
  const { rows } = connection.run("select rootpage from sqlite_master where name = ?", [name]);
  connection.close();
  const bytes = new DataView(await Bun.file(path).arrayBuffer());
  const page = (Number(rows[0]?.["rootpage"]) - 1) * bytes.getUint16(16);
  // A leaf of an index, and how many entries it has (SQLite's file format, 1.6).
  expect(bytes.getUint8(page)).toBe(10);
  bytes.setUint16(page + 3, 0);
  await Bun.write(path, bytes.buffer);
}
