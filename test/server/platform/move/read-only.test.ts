import { expect, test } from "vitest";
import { CatalogError } from "#contract/errors.ts";
import { moveData, reopenSource, verifyMove } from "#server/platform/move/move-data.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { missingPostgres } from "#test/support/postgres.ts";
import {
  addNote,
  fill,
  passKey,
  postgresqlPlace,
  sqlitePlace,
  startAt,
} from "./moved-platforms.ts";

describeNeeding("the source of a move", missingPostgres, () => {
  test("can be taken back, and says how much the target has taken since", async () => {
    const [first, second] = [await sqlitePlace(), await postgresqlPlace()];
    const source = await startAt(first);
    await fill(source);
    await moveData({ from: first, to: second, preparesOnly: false });
    await passKey(first, second);
    const moved = await startAt(second, source);
    await addNote(moved, 2_000);
    await moved.close();
    const { since, tables } = await reopenSource({ from: first, to: second });
    expect(since.added).toBeGreaterThan(1);
    expect(tables.find(({ table }) => table === "resources")).toMatchObject({
      added: 1,
      removed: 0,
    });
    await addNote(source, 2_001);
    expect((await verifyMove({ from: first, to: second })).ok).toBe(false);
    await expect(reopenSource({ from: first, to: second })).rejects.toThrow(CatalogError);
  });

  test("refuses targets with other data, and a start on an incomplete target", async () => {
    const [first, second, other] = [
      await sqlitePlace(),
      await postgresqlPlace(),
      await sqlitePlace(),
    ];
    const source = await startAt(first);
    await (await startAt(other)).close();
    await moveData({ from: first, to: second, preparesOnly: true });
    await passKey(first, second);
    await expect(startAt(second, source)).rejects.toThrow(/incomplete/);
    const foreign = { from: other, to: second, preparesOnly: true };
    await expect(moveData(foreign)).rejects.toThrow(/another platform/);
    const alike = { from: first, to: other, preparesOnly: true };
    await expect(moveData(alike)).rejects.toThrow(/from SQLite to PostgreSQL/);
  });
});
