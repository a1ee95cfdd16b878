import { SQL } from "bun";
import { expect, test } from "vitest";
import { openDatabase } from "#server/database/open.ts";
import { StorageError } from "#server/kit/storage-errors.ts";
import { raw } from "#server/database/statement.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { createTestDatabase, missingPostgres } from "#test/support/postgres.ts";

const counters = {
  name: "0001-counters",
  up: (context: { run(part: ReturnType<typeof raw>): Promise<void> }) =>
    context.run(raw("create table counters (id text primary key, n bigint not null)")),
};

describeNeeding("a PostgreSQL database", missingPostgres, () => {
  test.each(["LATIN1", "SQL_ASCII"])("in %s is refused before it is changed", async (encoding) => {
    const { url, drop } = await createTestDatabase();
    const other = new URL(url);
    other.pathname += `_${encoding.toLowerCase()}`;
    const name = other.pathname.slice(1);
    await using server = new SQL(url);
    try {
      await server.unsafe(
        `create database "${name}" encoding '${encoding}' locale_provider libc locale 'C' template template0`,
      );
      const opening = openDatabase({ url: other.href, migrations: [counters] });
      await expect(opening).rejects.toThrow(StorageError);
      await expect(opening).rejects.toThrow(`the encoding ${encoding}`);
      await using refused = new SQL(other.href);
      expect(await refused`select relname from pg_class where relname = 'counters'`).toHaveLength(
        0,
      );
    } finally {
      await server.unsafe(`drop database if exists "${name}" with (force)`);
      await drop();
    }
  });
});
