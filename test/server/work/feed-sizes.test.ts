import { expect, test } from "vitest";
import { raw, statement } from "#server/database/statement.ts";
import { defaultLimits } from "#server/kit/limits.ts";
import { insertChanges, RowNumbers } from "#server/work/change-batches.ts";
import { confirmEpoch } from "#server/work/change-feed.ts";
import {
  allSizes,
  confirmSizes,
  eraseFeedRows,
  newestOf,
  rowsPerSizes,
  sizesOf,
  storeSizes,
} from "#server/work/feed-sizes.ts";
import { sweepFeed } from "#server/work/feed-sweep.ts";
import { describeOnEachDatabase, type WholeDatabase } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";

interface Row {
  readonly number: number;
  readonly bytes: number;
}

describeOnEachDatabase("the sizes of the feed's rows", (open, { engine }) => {
  async function begun() {
    const database = await open();
    await database.write(async (tx) => {
      await confirmEpoch(tx);
      await confirmSizes(tx);
    });
    return { database, work: testWorks(database).work };
  }

  /** Adds rows of different lengths, of two workspaces in turn, as a platform does. */
  async function fill(database: WholeDatabase, count: number): Promise<void> {
    const numbers = engine === "sqlite" ? new RowNumbers() : undefined;
    await database.write(async (tx) => {
      for (let at = 0; at < count; at += 1) {
        const workspaceId = at % 3 === 0 ? "small" : "large";
        const subject = `s${at}${"-".repeat(at % 50)}`;
        await insertChanges(tx, [{ kind: "record", subject, workspaceId }], numbers);
      }
    });
  }

  const whole = (rows: readonly Row[]): Row[] =>
    rows.map(({ number, bytes }) => ({ number: Number(number), bytes: Number(bytes) }));
  const stored = async ({ read }: WholeDatabase, workspaceId: string): Promise<Row[]> =>
    whole(
      await read.all<Row>(statement`select number, bytes from change_batches
        where workspace_id = ${workspaceId} order by number`),
    );
  const found = async ({ read }: WholeDatabase, workspaceId: string, after = 0): Promise<Row[]> =>
    whole(await read.all<Row>(statement`${sizesOf(workspaceId, after)} order by number`));
  const sizeRows = async ({ read }: WholeDatabase): Promise<number> => {
    if (engine === "postgresql") return 0;
    const row = await read.first<{ rows: number }>(raw("select count(*) as rows from feed_sizes"));
    return row?.rows ?? 0;
  };
  const sum = (rows: readonly Row[]): number => rows.reduce((all, { bytes }) => all + bytes, 0);

  test("are found for all rows, those that have a stored size and later ones", async () => {
    const { database } = await begun();
    await fill(database, rowsPerSizes + 40);
    const all = await stored(database, "large");
    expect(await found(database, "large")).toEqual(all);
    const middle = all[100]?.number ?? 0;
    expect(await found(database, "large", middle)).toEqual(all.slice(101));
    const last = all.at(-3)?.number ?? 0;
    expect(await found(database, "large", last)).toEqual(all.slice(-2));
    for (const workspaceId of ["large", "small", "none"]) {
      const row = await database.read.first<{ newest: number | null }>(
        statement`select ${newestOf(workspaceId)} as newest`,
      );
      const newest = (await stored(database, workspaceId)).at(-1)?.number ?? 0;
      expect(Number(row?.newest ?? 0)).toBe(newest);
    }
    const counted = await database.read.first<{ bytes: number }>(
      statement`select sum(bytes) as bytes from (${allSizes}) as sizes`,
    );
    const both = [...all, ...(await stored(database, "small"))];
    expect(Number(counted?.bytes)).toBe(sum(both));
    if (engine === "postgresql") return;
    expect(await sizeRows(database)).toBeGreaterThan(rowsPerSizes / 2);
    expect(await sizeRows(database)).toBeLessThan(both.length);
  });

  test("let a workspace keep the newest rows with at most its bytes, and others all", async () => {
    const { database, work } = await begun();
    await fill(database, 2 * rowsPerSizes + 40);
    const [large, small] = [await stored(database, "large"), await stored(database, "small")];
    const feedBytes = sum(small) + 10;
    await sweepFeed(work, { ...defaultLimits, feedBytes });
    const left = await stored(database, "large");
    expect(left).toEqual(large.slice(-left.length));
    expect(sum(left)).toBeLessThanOrEqual(feedBytes);
    // One more row would have been too much.
    expect(sum(large.slice(-left.length - 1))).toBeGreaterThan(feedBytes);
    expect(await stored(database, "small")).toEqual(small);
    expect(await found(database, "large")).toEqual(left);
    expect(await found(database, "small")).toEqual(small);
    await sweepFeed(work, { ...defaultLimits, feedBytes: 0 });
    expect(await stored(database, "large")).toEqual([]);
    expect(await sizeRows(database)).toBe(0);
  });

  if (engine === "postgresql") return;

  test("are right after another build has written, removed, or begun another epoch", async () => {
    const { database } = await begun();
    await fill(database, rowsPerSizes + 40);
    const [oldest, next] = await stored(database, "large");
    const removed = next?.number ?? 0;
    await database.write(async (tx) => {
      // The other build stores no sizes.
      await tx.run(statement`insert into feed_floors (workspace_id, removed)
        values ('large', ${removed})`);
      await tx.run(statement`delete from change_batches
        where workspace_id = 'large' and number <= ${removed}`);
      await insertChanges(tx, [{ kind: "record", subject: "other", workspaceId: "large" }]);
    });
    const again = () =>
      database.write(async (tx) => {
        await confirmSizes(tx);
        await storeSizes(tx);
      });
    await again();
    const left = await stored(database, "large");
    expect(left.map(({ number }) => number)).not.toContain(oldest?.number);
    expect(await found(database, "large")).toEqual(left);
    await database.write(async (tx) => {
      await tx.run(raw("delete from change_batches where number is not null"));
      await tx.run(raw("update feed_epochs set epoch = 'another' where name is not null"));
    });
    await again();
    expect(await sizeRows(database)).toBe(0);
    await fill(database, 3);
    expect(await found(database, "large")).toEqual(await stored(database, "large"));
  });

  test("go with the rows of a workspace that is purged", async () => {
    const { database } = await begun();
    await fill(database, rowsPerSizes + 40);
    const kept = await stored(database, "small");
    const count = (await stored(database, "large")).length;
    let erased = 0;
    for (let at = 1; at > 0; erased += at) {
      at = await database.write((tx) => eraseFeedRows(tx, "large", 50));
    }
    expect(erased).toBe(count);
    expect(await stored(database, "large")).toEqual([]);
    expect(await found(database, "large")).toEqual([]);
    expect(await found(database, "small")).toEqual(kept);
  });
});
