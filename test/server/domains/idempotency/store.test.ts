import { describe, expect, test } from "vitest";
import { LifetimeOwner } from "#server/kit/lifetime.ts";
import { IdempotencyService, KeyClaim } from "#server/domains/idempotency/service.ts";
import type { DatabaseView, MergeableUnit, Reader } from "#server/database/database.ts";
import { join, raw, statement } from "#server/database/statement.ts";
import { everyWorkspace } from "#server/kit/scope.ts";
import type { Work } from "#server/work/work.ts";
import type { Works } from "#server/work/works.ts";
import { describeInTurn, type WholeDatabase } from "#test/support/databases.ts";
import { testWorks } from "#test/support/work.ts";

describeInTurn("the record of a key", (open, { engine }) => {
  const now = () => new Date("2026-11-21T09:30:00.000Z");
  const logger = { info: () => {}, warn: () => {}, error: () => {} };
  const answer = { status: 201, headers: { location: "/v4/x" }, body: '{"id":"1"}' };
  const responseOf = () => answer;
  const request = { workspaceId: "w", oid: "o", key: "k", fingerprint: "f", responseOf };

  /** A platform process on the database, with its own memory of running requests. */
  function processOn(database: WholeDatabase): IdempotencyService {
    return new IdempotencyService({
      platformWork: testWorks(database).works.forPlatform,
      now,
      lifetime: new LifetimeOwner(logger),
    });
  }
  /** The work of a request with this claim. */
  const workOf = (claim: KeyClaim, works: Works): Work =>
    works.forRequest(everyWorkspace, undefined, {
      recordings: [claim],
      note: undefined,
      enteredWorkspaceId: undefined,
      keep: () => {},
    });
  async function claimed(service: IdempotencyService): Promise<KeyClaim> {
    const claim = await service.claim(request);
    if (!(claim instanceof KeyClaim)) throw new Error("the key has an answer already");
    return claim;
  }
  const effects = async (database: WholeDatabase): Promise<number> => {
    const row = await database.read.first<{ count: number }>(
      statement`select count(*) as count from secrets where name like 'effect%'`,
    );
    return Number(row?.count);
  };
  const effect = (database: WholeDatabase, claim: KeyClaim, name: string, said = true) =>
    workOf(claim, testWorks(database).works).write(async (tx) => {
      await tx.run(statement`insert into secrets (name, value, created_at)
        values (${name}, 'x', '2026')`);
      if (said) tx.remember({ id: "1" });
    });

  describe("is written in the transaction of the effect", () => {
    test("so a crash afterwards loses neither", async () => {
      const database = await open();
      const crashed = processOn(database);
      await effect(database, await claimed(crashed), "effect-1");
      // The first process ends here.
      const next = processOn(database);
      expect(await next.claim(request)).toEqual(answer);
      expect(await effects(database)).toBe(1);
    });

    test("so a failed effect leaves no record", async () => {
      const database = await open();
      const service = processOn(database);
      const claim = await claimed(service);
      const failing = workOf(claim, testWorks(database).works).write(async (tx) => {
        tx.remember({ id: "1" });
        throw new Error("no");
      });
      await expect(failing).rejects.toThrow("no");
      expect(await claim.fail("no")).toBe("no");
      expect(await claimed(service)).toBeInstanceOf(KeyClaim);
    });

    test("so a lost response is reported, and the effect is not repeated", async () => {
      const database = await open();
      const crashed = processOn(database);
      await effect(database, await claimed(crashed), "effect-1", false);
      await expect(processOn(database).claim(request)).rejects.toMatchObject({
        code: "conflict",
        message: expect.stringContaining("its response was lost"),
      });
    });

    test("so only one of two processes has its effect", async () => {
      const database = await open();
      const one = processOn(database);
      const other = processOn(database);
      const [first, second] = [await claimed(one), await claimed(other)];
      await effect(database, first, "effect-1");
      await expect(effect(database, second, "effect-2")).rejects.toMatchObject({
        code: "request-in-progress",
      });
      expect(await effects(database)).toBe(1);
    });
  });

  describe("of one of many concurrent requests", () => {
    const keys = Array.from({ length: 40 }, (_, at) => `key-${at}`);
    const answerTo = (key: string) => ({ ...answer, body: JSON.stringify({ key }) });
    const notes: MergeableUnit<string> = {
      isMergeable: () => true,
      weight: () => 1,
      one: async (writer, name) =>
        void (await writer.run(statement`insert into secrets (name, value, created_at)
          values (${name}, 'x', '2026')`)),
      async all(writer, names) {
        const rows = names.map((name) => statement`(${name}, 'x', '2026')`);
        const made = await writer.all<{ name: string }>(statement`insert into secrets
          (name, value, created_at) values ${join(rows)} on conflict do nothing returning name`);
        const done = new Set(made.map(({ name }) => name));
        return names.map((name) => done.has(name));
      },
      isOneStatement: () => true,
    };
    const claimAll = (service: IdempotencyService) =>
      Promise.all(keys.map((key) => service.claim({ ...request, key })));
    async function newClaims(service: IdempotencyService): Promise<KeyClaim[]> {
      const claims = await claimAll(service);
      return claims.filter((claim) => claim instanceof KeyClaim);
    }
    function writeAll(database: WholeDatabase, claims: readonly KeyClaim[]) {
      const { works } = testWorks(database);
      const write = works.merged(notes);
      return Promise.allSettled(
        claims.map((claim) => {
          claim.remember(answerTo(claim.identity.key));
          return write(workOf(claim, works), () => `effect-${claim.identity.key}`);
        }),
      );
    }

    test("is written in their shared transaction, each with its own response", async () => {
      const database = await open();
      const crashed = processOn(database);
      const written = await writeAll(database, await newClaims(crashed));
      expect(written.map(({ status }) => status)).toEqual(keys.map(() => "fulfilled"));
      expect(await claimAll(processOn(database))).toEqual(keys.map(answerTo));
      expect(await effects(database)).toBe(keys.length);
      if (engine === "sqlite") return;
      const transactions = await database.read.all(
        raw(`select distinct keys.xmin::text
        from idempotency_keys as keys join secrets
          on secrets.xmin = keys.xmin and secrets.name = 'effect-' || keys.key`),
      );
      expect(transactions.length).toBeLessThan(5);
    });

    test("that another process has stored does not block the others", async () => {
      const database = await open();
      const one = processOn(database);
      const claims = await newClaims(one);
      const other = processOn(database);
      const [first] = await newClaims(other);
      if (first === undefined) throw new Error("the first key has an answer already");
      await effect(database, first, "effect-of-another");
      const written = await writeAll(database, claims);
      expect(written[0]).toMatchObject({ reason: { code: "request-in-progress" } });
      expect(written.slice(1).map(({ status }) => status)).toEqual(
        keys.slice(1).map(() => "fulfilled"),
      );
      expect(await effects(database)).toBe(keys.length);
      const answers = await claimAll(processOn(database));
      expect(answers).toEqual([answer, ...keys.slice(1).map(answerTo)]);
    });

    test("is looked up together with theirs", async () => {
      const database = await open();
      const before = processOn(database);
      const claims = await newClaims(before);
      await writeAll(database, claims.slice(0, 2));
      let statements = 0;
      const counted = <Arguments extends unknown[], Result>(
        read: (...given: Arguments) => Result,
      ) => {
        return (...given: Arguments): Result => {
          statements += 1;
          return read(...given);
        };
      };
      const reader = ({ read }: DatabaseView): Reader => ({
        dialect: read.dialect,
        all: counted((part) => read.all(part)),
        first: counted((part) => read.first(part)),
      });
      const found = await claimAll(
        processOn({
          ...database,
          in(scope) {
            const view = database.in(scope);
            return { ...view, scan: view.scan, read: reader(view) };
          },
        }),
      );
      expect(found.slice(0, 2)).toEqual(keys.slice(0, 2).map(answerTo));
      expect(found.filter((claim) => claim instanceof KeyClaim)).toHaveLength(keys.length - 2);
      // The two existing ones are read one by one.
      if (engine === "postgresql") expect(statements).toBe(3);
    });
  });

  test("replaces an expired record", async () => {
    const database = await open();
    const before = processOn(database);
    await effect(database, await claimed(before), "effect-1");
    const after = new IdempotencyService({
      platformWork: testWorks(database).works.forPlatform,
      now: () => new Date("2026-11-22T09:30:01.000Z"),
      lifetime: new LifetimeOwner(logger),
    });
    const claim = await after.claim({ ...request, fingerprint: "another" });
    if (!(claim instanceof KeyClaim)) throw new Error("the key has an answer still");
    claim.remember({ ...answer, body: "2" });
    await claim.finish();
    const rows = await database.read.all(raw("select fingerprint, body from idempotency_keys"));
    expect(rows).toEqual([{ fingerprint: "another", body: "2" }]);
  });

  test("gets its response at the end of the request, if the effect did not set it", async () => {
    const database = await open();
    const service = processOn(database);
    const claim = await claimed(service);
    await effect(database, claim, "effect-1", false);
    claim.remember(answer);
    await claim.finish();
    expect(await service.claim(request)).toEqual(answer);
  });

  test("is released once, because another request may hold the key afterwards", async () => {
    const service = processOn(await open());
    const first = await claimed(service);
    first.release();
    await claimed(service);
    first.release();
    await expect(service.claim(request)).rejects.toMatchObject({ code: "request-in-progress" });
  });

  test("is not changed by the writes of other requests", async () => {
    const database = await open();
    const service = processOn(database);
    await claimed(service);
    await testWorks(database).work.write(async (tx) => {
      await tx.run(statement`insert into secrets (name, value, created_at)
        values ('effect-other', 'x', '2026')`);
    });
    const rows = await database.read.all(statement`select * from idempotency_keys`);
    expect(rows).toEqual([]);
  });

  test("is deleted after it has expired", async () => {
    const database = await open();
    const service = processOn(database);
    const claim = await claimed(service);
    claim.remember(answer);
    await claim.finish();
    const later = new IdempotencyService({
      platformWork: testWorks(database).works.forPlatform,
      now: () => new Date("2026-11-22T09:30:01.000Z"),
      lifetime: new LifetimeOwner(logger),
    });
    await later.clean();
    expect(await database.read.all(statement`select * from idempotency_keys`)).toEqual([]);
  });

  test("is deleted after it has expired, in several transactions", async () => {
    const database = await open();
    await database.write(async (writer) => {
      await writer.run(statement`insert into idempotency_keys
        (workspace_id, oid, key, fingerprint, created_at, expires_at)
        with recursive numbers (number) as (
          select 1 union all select number + 1 from numbers where number < 2500)
        select 'w', 'o', cast(number as text), 'f', '2026-11-20', '2026-11-21' from numbers`);
    });
    await processOn(database).clean();
    expect(await database.read.all(statement`select * from idempotency_keys`)).toEqual([]);
  });
});
