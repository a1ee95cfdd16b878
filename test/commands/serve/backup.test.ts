import { existsSync } from "node:fs";
import { appendFile, mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { uploadAccepted } from "#contract/documents/upload.ts";
import { file, form, makeContext, send, uploaded } from "#test/support/document-forms.ts";
import type { Context } from "#test/support/document-forms.ts";
import { userEnvironment } from "#test/support/environment.ts";
import { createTestPlatform, field, type TestPlatform } from "#test/support/platform.ts";
import { describeEachDatabase } from "#test/support/postgres.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { finished } from "../../../scripts/build/finished.ts";
import { runCommand } from "../world.ts";
import { copyKey, makeNote, makeNotes, running, start } from "./data-directories.ts";
import { rowsOf } from "./stored-rows.ts";
import { svcExecutable } from "#test/support/svc.ts";

/** Opens a restored directory, which has users and workspaces. */
async function reopen(original: TestPlatform, dataDirectory: string) {
  const { createPlatform } = await import("#server/platform.ts");
  await copyKey(original, dataDirectory);
  const platform = await createPlatform({
    dataDirectory,
    baseUrl: original.baseUrl,
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    extractionCommand: [await svcExecutable(), "__extract"],
  });
  const get = (path: string): Promise<Response> =>
    platform.fetch(
      new Request(original.baseUrl + path, {
        headers: {
          authorization: `Bearer ${original.users["tenant-admin"].token}`,
          "x-tenant-id": original.workspaces.tenant,
        },
      }),
    );
  return { platform, get };
}

/** Runs `svc` in a separate process, next to the platform of this one. */
async function inOtherProcess(...words: readonly string[]) {
  const home = await temporaryDirectory("home");
  const child = Bun.spawn([await svcExecutable(), ...words], {
    cwd: home,
    env: userEnvironment(home, {}),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 60_000,
  });
  return finished(child);
}

async function upload(the: TestPlatform, context: Context, content: string): Promise<string> {
  const answered = await send(
    the,
    form(
      the,
      ["planning_application_id", context.application],
      ["files", file(`${crypto.randomUUID()}.txt`, content)],
    ),
  );
  expect(answered.status, answered.text).toBe(202);
  return String(uploadAccepted.parse(answered.json).documentId);
}

describe("svc serve backup and restore", () => {
  test("under write load: a consistent snapshot with every file that it names", async () => {
    const the = await start();
    await makeNotes(the);
    const context = await makeContext(the);
    const notes = new Map<number, string>();
    const documents = new Map<string, string>();
    let isOver = false;
    let number = 0;
    const writeNotes = async (): Promise<void> => {
      while (!isOver) {
        number += 1;
        const mine = number;
        notes.set(mine, await makeNote(the, mine));
      }
    };
    const uploadDocuments = async (): Promise<void> => {
      for (let index = 0; !isOver; index += 1) {
        const content = `The ${index}th letter. ${"Dear council, ".repeat(index % 50)}`;
        documents.set(await upload(the, context, content), content);
        await Bun.sleep(5);
      }
    };
    const load = [writeNotes(), writeNotes(), uploadDocuments()];
    while (documents.size < 5 || notes.size < 50) await Bun.sleep(5);

    const before = { notes: new Map(notes), documents: new Map(documents) };
    const output = join(await temporaryDirectory("backups"), "first");
    const taken = await inOtherProcess(
      "serve",
      "backup",
      `--data-dir=${the.dataDirectory}`,
      `--output=${output}`,
      "--format=json",
    );
    const during = notes.size;
    isOver = true;
    await Promise.all(load);
    expect(taken).toMatchObject({ exitCode: 0, stderr: "" });
    expect(JSON.parse(taken.stdout)).toMatchObject({
      output,
      complete: true,
      database: { engine: "sqlite", included: true },
      lostCount: 0,
      lost: [],
    });
    expect(during).toBeGreaterThan(before.notes.size);
    expect((await readdir(output)).toSorted()).toEqual([
      "blobs",
      "files.ndjson",
      "manifest.json",
      "svc.db",
    ]);

    const dataDir = join(await temporaryDirectory("restored"), "data");
    const restore = ["serve", "restore", "--input", output, "--data-dir", dataDir];
    const restored = await runCommand([...restore, "--format", "json"]);
    expect(restored).toMatchObject({
      exitCode: 0,
      json: { dataDir, database: { engine: "sqlite", included: true } },
    });
    expect(rowsOf(join(dataDir, "svc.db"))).toEqual(rowsOf(join(output, "svc.db")));
    const keyless = await runCommand(["serve", "doctor", "--data-dir", dataDir]);
    expect(keyless.stdout).toContain("✗ start-refused (1)");
    await copyKey(the, dataDir);
    const healthy = await runCommand(["serve", "doctor", "--digests", "--data-dir", dataDir]);
    expect(healthy).toMatchObject({ exitCode: 0, stdout: "" });
    expect(healthy.stderr).toContain("no findings");

    const { platform, get } = await reopen(the, dataDir);
    try {
      const { tenant } = the.workspaces;
      // Everything that was acknowledged before the backup is in it.
      for (const [noteNumber, id] of before.notes) {
        const record = await (await get(`/v4/data/resources/${tenant}/note/${id}`)).json();
        expect(record).toMatchObject({ data: { text: `note ${noteNumber}`, number: noteNumber } });
      }
      for (const [id, content] of before.documents) {
        const path = `/v4/data/documents/records/${id}/content?storage_target=resourceapi`;
        expect(await (await get(path)).text()).toBe(content);
      }
      // It has no other records.
      const query = "limit=1&count=true";
      const list: unknown = await (await get(`/v4/data/resources/${tenant}/note?${query}`)).json();
      const total = Number(field(list, "total"));
      expect(total).toBeGreaterThanOrEqual(before.notes.size);
      expect(total).toBeLessThanOrEqual(notes.size);
    } finally {
      await platform.close();
    }
  }, 60_000);

  test("restore refuses a used directory and a changed backup, and leaves nothing", async () => {
    const the = await start();
    const context = await makeContext(the);
    await uploaded(the, context, "A letter about a lamp.");
    const folder = await temporaryDirectory("backups");
    const output = join(folder, "good");
    const data = ["--data-dir", the.dataDirectory];
    const taken = await runCommand(["serve", "backup", ...data, "--output", output]);
    expect(taken).toMatchObject({ exitCode: 0, stderr: "" });
    expect(taken.stdout).toContain("files     1 (22 bytes)");

    const twice = await runCommand([
      "serve",
      "backup",
      ...data,
      "--output",
      output,
      "--format",
      "json",
    ]);
    expect(twice).toMatchObject({
      exitCode: 1,
      json: { error: { code: "E205", message: `Resource conflict: ${output} already exists` } },
    });
    const target = join(await temporaryDirectory("restored"), "data");
    const restore = (input: string, directory: string) =>
      runCommand([
        "serve",
        "restore",
        "--input",
        input,
        "--data-dir",
        directory,
        "--format",
        "json",
      ]);
    const used = await restore(output, the.dataDirectory);
    expect(used).toMatchObject({ exitCode: 1, json: { error: { code: "E205" } } });
    expect(used.stdout).toContain("is not empty");
    const file = join(folder, "a-file");
    await writeFile(file, "mine");
    const onFile = await restore(output, file);
    expect(onFile.json).toMatchObject({
      error: { code: "E205", message: `Resource conflict: the data directory ${file} is a file` },
    });
    expect(await readFile(file, "utf8")).toBe("mine");
    const none = await restore(folder, target);
    expect(none).toMatchObject({ exitCode: 1, json: { error: { code: "E202" } } });

    const [blob = ""] = (await readdir(join(output, "blobs"), { recursive: true })).filter((name) =>
      /[0-9a-f]{64}$/.test(name),
    );
    await appendFile(join(output, "blobs", blob), "!");
    const damaged = await restore(output, target);
    expect(damaged).toMatchObject({ exitCode: 1, json: { error: { code: "E305" } } });
    expect(damaged.stdout).toContain("is damaged");
    expect(existsSync(target)).toBe(false);
    await rm(join(output, "blobs", blob));
    expect((await restore(output, target)).stdout).toContain("is missing");
    await appendFile(join(output, "svc.db"), "!");
    await appendFile(join(output, "files.ndjson"), "\n");
    expect((await restore(output, target)).stdout).toContain("its list of files has changed");
    expect(existsSync(target)).toBe(false);
  });

  test("a changed database and a lost file are reported", async () => {
    const the = await start();
    const context = await makeContext(the);
    await uploaded(the, context, "A letter about a lamp.");
    const folder = await temporaryDirectory("backups");
    const data = ["--data-dir", the.dataDirectory];
    await runCommand(["serve", "backup", ...data, "--output", join(folder, "a")]);
    await appendFile(join(folder, "a", "svc.db"), "!");
    const target = join(folder, "data");
    const restore = ["serve", "restore", "--input", join(folder, "a"), "--data-dir", target];
    const changed = await runCommand(restore);
    expect(changed.exitCode).toBe(1);
    expect(changed.stderr).toContain("its database has changed since the backup");
    expect(existsSync(target)).toBe(false);

    const blobs = join(the.dataDirectory, "blobs", the.workspaces.tenant);
    await rm(blobs, { recursive: true });
    const words = ["serve", "backup", ...data, "--output", join(folder, "b"), "--format", "json"];
    const lost = await runCommand(words);
    expect(lost).toMatchObject({
      exitCode: 1,
      json: { complete: false, lostCount: 1, lost: [{ reason: "missing" }] },
    });
    expect(lost.stderr).toContain("Missing or damaged, and not in the backup: 1 file.");
  });

  test("a backup is refused as a data directory", async () => {
    const the = await start();
    const folder = await temporaryDirectory("backups");
    const backup = join(folder, "monday");
    await runCommand(["serve", "backup", "--data-dir", the.dataDirectory, "--output", backup]);
    const before = await readdir(backup);
    for (const words of [
      ["--port", "0"],
      ["token"],
      ["doctor"],
      ["migrate"],
      ["backup", "--output", join(folder, "tuesday")],
    ]) {
      const result = await runCommand(["serve", ...words, "--data-dir", backup]);
      expect({ words, exitCode: result.exitCode }).toEqual({ words, exitCode: 1 });
      expect(result.stderr).toContain(
        `${backup} is a backup, and opening it would damage the backup`,
      );
      expect(result.stderr).toContain("with `svc serve restore --input`");
    }
    expect(await readdir(backup)).toEqual(before);
    const restored = join(folder, "restored");
    const done = await runCommand(["serve", "restore", "--input", backup, "--data-dir", restored]);
    expect(done.exitCode).toBe(0);
    // Another kind of manifest.json, e.g. a web page's, does not make a backup.
    await writeFile(join(restored, "manifest.json"), '{"name":"svc","icons":[]}');
    await copyKey(the, restored);
    const token = await runCommand(["serve", "token", "--data-dir", restored]);
    expect(token.exitCode).toBe(0);
  });

  test("a backup and its data directory are not inside each other", async () => {
    const the = await start();
    const { dataDirectory } = the;
    const folder = await temporaryDirectory("backups");
    const link = join(folder, "link");
    await symlink(dataDirectory, link);
    await mkdir(join(dataDirectory, "kept"));
    await symlink(join(dataDirectory, "kept"), join(folder, "kept"));
    const backup = (dataDir: string, output: string) =>
      runCommand(["serve", "backup", "--data-dir", dataDir, "--output", output]);
    const before = await readdir(dataDirectory, { recursive: true });
    for (const [dataDir, output] of [
      [dataDirectory, dataDirectory],
      [dataDirectory, join(dataDirectory, "monday")],
      [dataDirectory, join(dataDirectory, "not", "there", "yet")],
      [dataDirectory, join(link, "monday")],
      [dataDirectory, join(folder, "kept", "monday")],
      [link, join(dataDirectory, "monday")],
    ] as const) {
      const result = await backup(dataDir, output);
      expect({ output, exitCode: result.exitCode }).toEqual({ output, exitCode: 1 });
      expect(result.stderr).toContain(
        `E305: Invalid input: --output ${output} is inside the data directory ${dataDir}`,
      );
      expect(result.stderr).toContain("Give a folder outside of it");
    }
    expect(await readdir(dataDirectory, { recursive: true })).toEqual(before);
    // A folder next to it is outside, also if its name has the same beginning.
    const monday = `${dataDirectory}-monday`;
    expect(await backup(dataDirectory, monday)).toMatchObject({ exitCode: 0, stderr: "" });

    await symlink(monday, join(folder, "monday"));
    const parts = await readdir(monday, { recursive: true });
    for (const dataDir of [monday, join(monday, "data"), join(folder, "monday", "data")]) {
      const result = await runCommand([
        "serve",
        "restore",
        "--input",
        monday,
        "--data-dir",
        dataDir,
      ]);
      expect({ dataDir, exitCode: result.exitCode }).toEqual({ dataDir, exitCode: 1 });
      expect(result.stderr).toContain(
        `E305: Invalid input: the data directory ${dataDir} is inside the backup ${monday}`,
      );
    }
    expect(await readdir(monday, { recursive: true })).toEqual(parts);
    await rm(monday, { recursive: true });
  });

  test("a folder without platform data has no backup and no diagnosis", async () => {
    const nothing = await temporaryDirectory("nothing");
    for (const words of [["backup", "--output", join(nothing, "x")], ["doctor"]]) {
      const result = await runCommand([
        "serve",
        ...words,
        "--data-dir",
        nothing,
        "--format",
        "json",
      ]);
      expect(result).toMatchObject({ exitCode: 1, json: { error: { code: "E202" } } });
    }
    expect(await readdir(nothing)).toEqual([]);
  });
});

describeEachDatabase("svc serve backup with a separate database", ({ engine, create }) => {
  test("copies the files, and names the tool for the database", async () => {
    const database = await create();
    const the = await createTestPlatform({ database });
    running.push(the);
    const context = await makeContext(the);
    await uploaded(the, context, "A letter about a lamp.");
    const output = join(await temporaryDirectory("backups"), "one");
    const { exitCode, json, stderr } = await runCommand([
      "serve",
      "backup",
      "--data-dir",
      the.dataDirectory,
      "--database-url",
      database.url,
      "--output",
      output,
      "--format",
      "json",
    ]);
    expect(exitCode).toBe(0);
    const included = engine === "sqlite";
    expect(json).toMatchObject({
      database: { engine, included },
      files: { count: 1, bytes: 22 },
      complete: true,
    });
    expect(existsSync(join(output, "svc.db"))).toBe(included);
    if (included) expect(stderr).toBe("");
    else expect(stderr).toContain("back it up with pg_dump");
    const target = join(output, "..", "data");
    const restore = ["serve", "restore", "--input", output, "--data-dir", target];
    const restored = await runCommand(restore);
    expect(restored.exitCode).toBe(0);
    expect(existsSync(join(target, "svc.db"))).toBe(included);
    await rm(join(target, "svc.db"), { force: true });
    const files = await readdir(target, { recursive: true });
    expect(files.filter((name) => /[0-9a-f]{64}$/.test(name))).toHaveLength(1);
    await the.close();
    running.splice(0);
    await database.drop();
  });
});
