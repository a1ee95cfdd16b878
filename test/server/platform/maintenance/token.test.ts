import { join } from "node:path";
import { SQL } from "bun";
import { expect, test } from "vitest";
import { createPlatform } from "#server/platform.ts";
import { mintToken } from "#server/platform/maintenance/token.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { missingPostgres } from "#test/support/postgres.ts";
import { createPlatformTables } from "#test/support/prepared.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

describeNeeding("a token from a PostgreSQL database", missingPostgres, () => {
  test("is refused with a clear error when the server has no free connection", async () => {
    const database = await createPlatformTables("postgresql");
    const dataDirectory = join(await temporaryDirectory("serve-token"), "data");
    const platform = await createPlatform({
      dataDirectory,
      databaseUrl: database.url,
      extractionCommand: [],
      logger: { info: () => {}, warn: () => {}, error: () => {} },
    });
    await platform.close();
    const administrator = new SQL(database.url, { max: 1 });
    const role = `single_${crypto.randomUUID().replaceAll("-", "")}`;
    await administrator.unsafe(`create role ${role} login password 'alone' connection limit 1`);
    try {
      await administrator.unsafe(`grant all on schema public to ${role}`);
      await administrator.unsafe(`grant all on all tables in schema public to ${role}`);
      const url = Object.assign(new URL(database.url), { username: role, password: "alone" });
      const asked = mintToken({ dataDirectory, databaseUrl: url.href, ttlMs: 60_000 });
      await expect(asked).rejects.toMatchObject({
        code: "E006",
        message: expect.stringContaining("too many connections"),
        hint: expect.stringContaining("raise max_connections"),
      });
    } finally {
      await administrator.unsafe(`drop owned by ${role}`);
      await administrator.unsafe(`drop role ${role}`);
      await administrator.close();
      await database.drop();
    }
  });
});
