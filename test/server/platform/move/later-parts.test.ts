import { expect, onTestFinished, test } from "vitest";
import { moveData, reopenSource } from "#server/platform/move/move-data.ts";
import { openPlatformDatabase } from "#server/schema/platform-database.ts";
import { catalogOf } from "#test/server/schema/catalog.ts";
import { wholeOf } from "#test/support/databases.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { createTestDatabase, missingPostgres } from "#test/support/postgres.ts";
import { postgresqlPlace, sqlitePlace, startAt, urlOf, type Place } from "./moved-platforms.ts";

async function catalogAt(place: Place) {
  const database = await openPlatformDatabase({
    url: urlOf(place),
    isExclusive: false,
    poolSize: 1,
  });
  try {
    return await catalogOf(wholeOf(database));
  } finally {
    await database.close();
  }
}

describeNeeding("a move", missingPostgres, () => {
  test("leaves the target with the schema of a new database", async () => {
    const [first, second, third] = [
      await sqlitePlace(),
      await postgresqlPlace(),
      await sqlitePlace(),
    ];
    const source = await startAt(first);
    const before = await catalogAt(first);
    await moveData({ from: first, to: second, preparesOnly: false });
    await moveData({ from: second, to: third, preparesOnly: false });
    await source.close();
    expect(await catalogAt(third)).toEqual(before);
    const fresh = await createTestDatabase();
    onTestFinished(() => fresh.drop());
    const expected = await openPlatformDatabase({ url: fresh.url, poolSize: 1 });
    onTestFinished(() => expected.close());
    // The source of the second move has its triggers.
    await reopenSource({ from: second, to: third });
    expect(await catalogAt(second)).toEqual(await catalogOf(wholeOf(expected)));
  });
});
