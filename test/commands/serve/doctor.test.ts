import { appendFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SqliteConnection } from "#server/stores/database/sqlite-connection.ts";
import { makeContext, uploaded } from "#test/server/routes/document-forms.ts";
import { field } from "#test/support/platform.ts";
import { runCommand } from "../world.ts";
import { makeNote, makeNotes, running, start } from "./data-directories.ts";

describe("svc serve doctor", () => {
  const asked = async (dataDir: string, ...words: readonly string[]) =>
    runCommand(["serve", "doctor", "--data-dir", dataDir, ...words, "--format", "json"]);

  /** A directory with every fault that doctor knows but a damaged database. */
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
    await Bun.write(join(root, "ab", "cd", `abcd${"0".repeat(60)}`), "nobody's");
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

  test("finds each fault, says what mends it, and mends what is safe", async () => {
    const { dataDir, ids, tenant } = await broken();
    const found = await asked(dataDir);
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
          examples: [`abcd${"0".repeat(60)}`],
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

    const fixed = await asked(dataDir, "--fix");
    expect(fixed.exitCode).toBe(1);
    const again = await asked(dataDir);
    const codes = field(again.json, "findings");
    expect(codes).toMatchObject([
      { code: "blob-missing" },
      { code: "blob-damaged" },
      { code: "record-unfit" },
    ]);
    const text = await runCommand(["serve", "doctor", "--data-dir", dataDir]);
    expect(text.stdout).toContain("✗ record-unfit note (1)");
    expect(text.stderr).toContain("something is wrong");
  });

  test("--fix is refused while a platform serves the directory; looking is not", async () => {
    const the = await start();
    expect(await asked(the.dataDirectory)).toMatchObject({ exitCode: 0, json: { ok: true } });
    expect(await asked(the.dataDirectory, "--fix")).toMatchObject({
      exitCode: 1,
      json: { error: { code: "E205", hint: "Stop its `svc serve` first" } },
    });
  });

  test("a damaged database file is a finding, and not a failure", async () => {
    const the = await start();
    await makeNotes(the);
    for (let number = 1; number <= 20; number += 1) await makeNote(the, number);
    await the.close();
    running.splice(0);
    const path = join(the.dataDirectory, "svc.db");
    const bytes = new Uint8Array(await Bun.file(path).arrayBuffer());
    bytes.fill(0x5a, 8192 * 2, bytes.byteLength);
    await Bun.write(path, bytes);
    const told = await asked(the.dataDirectory);
    expect(told).toMatchObject({ exitCode: 1, json: { ok: false } });
    expect(field(told.json, "findings")).toMatchObject([
      { code: "database-damaged", mend: expect.stringContaining("svc serve restore") },
    ]);
  });
});
