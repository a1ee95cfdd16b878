import { expect, test } from "vitest";
import { CatalogError } from "#contract/errors.ts";
import { moveData, reopenSource, verifyMove } from "#server/platform/move/move-data.ts";
import { describeNeeding } from "#test/support/needs.ts";
import { field, type TestPlatform } from "#test/support/platform.ts";
import { missingPostgres } from "#test/support/postgres.ts";
import {
  addNote,
  fill,
  notes,
  passKey,
  postgresqlPlace,
  sqlitePlace,
  startAt,
} from "./moved-platforms.ts";

/** Callers who write notes without a pause until they are stopped. */
class Writers {
  readonly accepted: string[] = [];
  /** Status, code and `Retry-After` of each refusal. */
  readonly refused: string[] = [];
  readonly #lanes: Promise<void>[];
  #number = 1_000;
  #isStopped = false;

  constructor(private readonly the: TestPlatform) {
    this.#lanes = Array.from({ length: 3 }, () => this.#write());
  }

  async until(isEnough: () => boolean): Promise<void> {
    while (!isEnough()) await Promise.race([Bun.sleep(5), ...this.#lanes]);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#lanes);
  }

  async #write(): Promise<void> {
    while (!this.#isStopped) {
      this.#number += 1;
      const body = { text: "joy meanwhile", number: this.#number };
      const answer = await this.the.as("tenant-staff").post(notes(this.the), body);
      if (answer.status === 201) this.accepted.push(String(field(answer.json, "id")));
      else {
        const code = String(field(answer.json, "code"));
        this.refused.push(`${answer.status} ${code} ${answer.headers.get("retry-after") ?? ""}`);
      }
      await Bun.sleep(3);
    }
  }
}

describeNeeding("the source of a move", missingPostgres, () => {
  test.each(["sqlite", "postgresql"] as const)(
    "on %s refuses writes while it compares, loses none, and can be taken back",
    async (engine) => {
      const places = [await sqlitePlace(), await postgresqlPlace()] as const;
      const [from, to] = engine === "sqlite" ? places : places.toReversed();
      if (from === undefined || to === undefined) throw new Error("two places");
      const source = await startAt(from);
      await fill(source);
      const writers = new Writers(source);
      await writers.until(() => writers.accepted.length > 20);
      const { tables } = await moveData({ from, to, preparesOnly: false });
      await writers.until(() => writers.refused.length > 6);
      await writers.stop();
      expect(new Set(writers.refused)).toEqual(new Set(["503 storage-unavailable 30"]));
      const rows = 300 + writers.accepted.length;
      expect(tables.find(({ table }) => table === "resources")).toMatchObject({ rows });
      expect((await verifyMove({ from, to })).ok).toBe(true);

      await passKey(from, to);
      const moved = await startAt(to, source);
      for (let at = 0; at < writers.accepted.length; at += 100) {
        const some = writers.accepted.slice(at, at + 100);
        const where = encodeURIComponent(JSON.stringify({ id: { $in: some } }));
        const listed = await moved
          .as("tenant-viewer")
          .get(`${notes(moved)}?limit=100&where=${where}`);
        expect(field(listed.json, "items")).toHaveLength(some.length);
      }
      const late = [await addNote(moved, 90_001), await addNote(moved, 90_002)];
      await moved.as("tenant-admin").delete(`${notes(moved)}/${late[0]}?permanent=true`);
      await moved.close();
      const { since, tables: taken } = await reopenSource({ from, to });
      expect(since.added).toBeGreaterThan(1);
      expect(taken.find(({ table }) => table === "resources")).toMatchObject({ added: 1 });
      await addNote(source, 90_003);
      expect((await verifyMove({ from, to })).ok).toBe(false);
      await expect(reopenSource({ from, to })).rejects.toThrow(CatalogError);
    },
  );

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
