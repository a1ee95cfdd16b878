import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { describeNeeding } from "#test/support/needs.ts";
import { createTestDatabase, missingPostgres } from "#test/support/postgres.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { runCommand } from "../world.ts";
import { start } from "./data-directories.ts";

const json = ["--format", "json"];

describe("svc serve rotate-key", () => {
  test("replaces the key, and an earlier backup needs the earlier one", async () => {
    const { dataDirectory } = await start();
    const place = ["--data-dir", dataDirectory];
    const path = join(dataDirectory, "svc.key");
    const folder = await temporaryDirectory("backups");
    const earlier = join(folder, "earlier.key");
    await copyFile(path, earlier);
    const backup = join(folder, "one");
    const taken = await runCommand(["serve", "backup", ...place, "--output", backup, ...json]);
    expect(taken).toMatchObject({ exitCode: 0, json: { keyFile: path } });

    const rotated = await runCommand(["serve", "rotate-key", ...place, ...json]);
    const keyId = Reflect.get(Object(taken.json), "keyId");
    expect(rotated).toMatchObject({ exitCode: 0, json: { keyFile: path, previousKeyId: keyId } });

    const data = join(folder, "data");
    const restore = ["serve", "restore", "--input", backup, "--data-dir", data];
    const refused = await runCommand([...restore, "--key-file", path, ...json]);
    expect(refused).toMatchObject({
      exitCode: 1,
      json: { error: { code: "E305", message: expect.stringContaining(`the id ${keyId}`) } },
    });
    const restored = await runCommand(restore);
    expect(restored.exitCode).toBe(0);
    expect(restored.stderr).toContain(`copy the key file with the id ${keyId} to ${data}/svc.key`);
    const token = ["serve", "token", "--data-dir", data];
    expect((await runCommand([...token, ...json])).json).toMatchObject({
      error: { code: "E006", hint: expect.stringContaining("`svc serve backup` does not") },
    });
    await copyFile(earlier, join(data, "svc.key"));
    expect((await runCommand(token)).exitCode).toBe(0);
    const byVariable = await runCommand(token, { variables: { SVC_KEY_FILE: path } });
    expect(byVariable.stderr).toContain("it is not the key of this database");
  });
});

describeNeeding("svc serve with PostgreSQL", missingPostgres, () => {
  test("needs a key file, and takes its address from a file or the environment", async () => {
    const database = await createTestDatabase();
    const folder = await temporaryDirectory("postgresql");
    const dataDir = join(folder, "data");
    await mkdir(dataDir);
    const token = ["serve", "token", "--data-dir", dataDir];
    const refused = await runCommand([...token, "--database-url", database.url, ...json]);
    expect(refused).toMatchObject({
      exitCode: 2,
      json: { error: { message: expect.stringContaining("PostgreSQL needs --key-file") } },
    });
    const file = join(folder, "database-url");
    await writeFile(file, `${database.url}\n`);
    const keyFile = join(folder, "svc.key");
    const never = { code: "E202", message: expect.stringContaining("Platform data") };
    const fromFile = [...token, "--key-file", keyFile, "--database-url-file", file, ...json];
    expect((await runCommand(fromFile)).json).toMatchObject({ error: never });
    const variables = { SVC_DATABASE_URL: database.url, SVC_KEY_FILE: keyFile };
    expect((await runCommand([...token, ...json], { variables })).json).toMatchObject({
      error: never,
    });
    // The refusal of a missing key file shows that the variable names PostgreSQL.
    const byVariable = { variables: { SVC_DATABASE_URL: database.url } };
    expect((await runCommand([...token, ...json], byVariable)).json).toEqual(refused.json);
    const missing = [...token, "--key-file", keyFile, "--database-url-file", `${file}.none`];
    expect((await runCommand(missing)).stderr).toContain("--database-url-file: cannot read");
    await database.drop();
  });
});
