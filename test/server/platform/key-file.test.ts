import { chmod, copyFile, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createPlatform, type Platform } from "#server/platform.ts";
import { raw } from "#server/database/statement.ts";
import { mintToken } from "#server/platform/maintenance/token.ts";
import { rotateKey } from "#server/platform/maintenance/rotate-key.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import { describeEachDatabase } from "#test/support/postgres.ts";
import { createPlatformTables } from "#test/support/prepared.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { testWorks } from "#test/support/work.ts";

interface Place {
  readonly dataDirectory: string;
  readonly databaseUrl: string;
  readonly keyFile?: string;
}

function start(place: Place): Promise<Platform> {
  return createPlatform({
    ...place,
    baseUrl: "http://platform.test",
    extractionCommand: [],
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  });
}

async function startAndStop(place: Place): Promise<void> {
  await (await start(place)).close();
}

async function refusal(work: Promise<unknown>) {
  return work.then(
    () => undefined,
    (error: unknown) => ({
      code: Reflect.get(Object(error), "code"),
      message: String(Reflect.get(Object(error), "message")),
      hint: String(Reflect.get(Object(error), "hint")),
    }),
  );
}

/** Whether the platform accepts a token. */
async function accepts(platform: Platform, token: string): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  const request = new Request("http://platform.test/v4/identity/me", { headers });
  return (await platform.fetch(request)).status === 200;
}

/** Everything that the tables of secrets hold. */
async function storedSecrets({ databaseUrl }: Place): Promise<string> {
  const database = await openPlatformDatabase({ url: databaseUrl, isExclusive: false });
  try {
    const { read } = testWorks(database).work;
    const rows = [
      ...(await read.all(raw("select * from secrets"))),
      ...(await read.all(raw("select * from signing_keys"))),
    ];
    return JSON.stringify(rows);
  } finally {
    await database.close();
  }
}

describeEachDatabase("the key file", ({ engine }) => {
  async function newPlace() {
    const database = await createPlatformTables(engine);
    const dataDirectory = await temporaryDirectory("keyed");
    const place: Place = { dataDirectory, databaseUrl: database.url };
    return { place, path: join(dataDirectory, "svc.key"), drop: () => database.drop() };
  }

  test("is made at the first start, and the database has no secret in clear", async () => {
    const { place, path, drop } = await newPlace();
    const platform = await start(place);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const stored = await storedSecrets(place);
    expect(stored).toContain("sealed1.");
    // The private part of a JSON Web Key, and the master secret.
    expect(stored).not.toContain('\\"d\\":');
    expect(stored).not.toContain(Buffer.from(platform.secrets.master).toString("base64url"));
    const { token } = await platform.mintToken({ ttlMs: 60_000 });
    await platform.close();
    const again = await start(place);
    expect(await accepts(again, token)).toBe(true);
    await again.close();
    await drop();
  });

  test("is refused when others may read it, when it is missing, and when it is wrong", async () => {
    const { place, path, drop } = await newPlace();
    await startAndStop(place);
    for (const mode of [0o644, 0o640, 0o604]) {
      await chmod(path, mode);
      expect(await refusal(start(place))).toMatchObject({
        code: "E006",
        message: expect.stringContaining(`its mode is 0${mode.toString(8)}`),
        hint: expect.stringContaining(`chmod 600 ${path}`),
      });
    }
    await chmod(path, 0o600);
    const kept = `${path}.kept`;
    await copyFile(path, kept);
    await rm(path);
    const missing = { code: "E006", message: expect.stringContaining("it is missing") };
    expect(await refusal(start(place))).toMatchObject(missing);
    expect(await refusal(mintToken({ ...place, ttlMs: 60_000 }))).toMatchObject(missing);
    await writeFile(path, "a".repeat(43), { mode: 0o600 });
    expect(await refusal(start(place))).toMatchObject({
      message: expect.stringContaining("it is not the key of this database"),
      hint: expect.stringContaining("--key-file"),
    });
    await writeFile(path, "not a key", { mode: 0o600 });
    expect(await refusal(start(place))).toMatchObject({
      message: expect.stringContaining("does not hold a key"),
    });
    await rm(path);
    await Bun.spawn(["mkfifo", "-m", "600", path]).exited;
    expect(await refusal(start(place))).toMatchObject({
      message: expect.stringContaining("it is not a file"),
    });
    await startAndStop({ ...place, keyFile: kept });
    await drop();
  });

  test("is replaced while the platform runs, and signs no user out", async () => {
    const { place, path, drop } = await newPlace();
    const platform = await start(place);
    const { token } = await platform.mintToken({ ttlMs: 60_000 });
    const before = await readFile(path, "utf8");
    const rotated = await rotateKey(place);
    expect(rotated).toMatchObject({ keyFile: path });
    expect(rotated.keyId).not.toBe(rotated.previousKeyId);
    expect(await readFile(path, "utf8")).not.toBe(before);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await accepts(platform, token)).toBe(true);
    const headers = { authorization: `Bearer ${token}` };
    const address = "http://platform.test/v4/platform/audit?action=serve.rotate-key";
    const log = await platform.fetch(new Request(address, { headers }));
    expect(await log.json()).toMatchObject({
      items: [
        { changes: { before: { keyId: rotated.previousKeyId }, after: { keyId: rotated.keyId } } },
      ],
    });
    await platform.close();
    const again = await start(place);
    expect(await accepts(again, token)).toBe(true);
    await again.close();
    await writeFile(path, before, { mode: 0o600 });
    expect(await refusal(start(place))).toMatchObject({
      message: expect.stringContaining("it is not the key of this database"),
    });
    await drop();
  });

  test("moves to another file, and survives an interrupted rotation", async () => {
    const { place, path, drop } = await newPlace();
    await startAndStop(place);
    const other = join(await temporaryDirectory("keys"), "other.key");
    expect(await rotateKey({ ...place, newKeyFile: other })).toMatchObject({ keyFile: other });
    await startAndStop({ ...place, keyFile: other });
    // The state of a process that was killed between the database's change and the rename.
    const link = join(await temporaryDirectory("keys"), "link.key");
    await symlink(other, link);
    await startAndStop({ ...place, keyFile: link });
    await copyFile(other, `${path}.next`);
    await chmod(`${path}.next`, 0o600);
    await startAndStop(place);
    expect(await readFile(path, "utf8")).toBe(await readFile(other, "utf8"));
    expect(await refusal(rotateKey({ ...place, newKeyFile: path }))).toMatchObject({
      code: "E305",
      message: expect.stringContaining("is the current key file"),
    });
    await drop();
  });
});

describe("the key file", () => {
  test("survives rotations at the same time", async () => {
    const dataDirectory = await temporaryDirectory("keyed");
    const place = { dataDirectory, databaseUrl: `sqlite:${join(dataDirectory, "svc.db")}` };
    await startAndStop(place);
    await Promise.allSettled(Array.from({ length: 4 }, () => rotateKey(place)));
    await startAndStop(place);
  });
});
