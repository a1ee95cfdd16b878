import type { Reader, Writer } from "../../database/database.ts";
import { databaseTimeMs } from "../../database/dialect.ts";
import { statement } from "../../database/statement.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import type { Work } from "../../work/work.ts";
import type { PlatformWork } from "../../work/works.ts";
import { PasswordThrottle, rememberedMs, waitAfter } from "./password-throttle.ts";

const cleaningIntervalMs = 10 * 60 * 1000;
const cleaningLimit = 1_000;

/**
 * Slows down guessing on all platforms of a database together: this platform counts each attempt in
 * memory before it is checked, and each failure in PostgreSQL. An SQLite database has one platform.
 */
export class Attempts {
  readonly #throttle: PasswordThrottle;
  readonly #work: Work;

  constructor(
    private readonly parts: {
      readonly platformWork: PlatformWork;
      readonly freeAttempts: number;
      readonly now: () => Date;
      readonly lifetime: Lifetime;
    },
  ) {
    this.#throttle = new PasswordThrottle(parts.freeAttempts, () => parts.now().getTime());
    this.#work = parts.platformWork("failed sign-ins of all platforms");
    if (!this.#isShared) return;
    parts.lifetime.every(cleaningIntervalMs, "failed-sign-ins-not-cleaned", () => this.#clean());
  }

  /** Begins an attempt and returns 0, or returns the milliseconds until the next one is allowed. */
  async begin(name: string): Promise<number> {
    const sharedMs = (await this.#sharedWaitMs(name)) ?? 0;
    const waitMs = Math.max(sharedMs, this.#throttle.waitMs(name));
    if (waitMs === 0) this.#throttle.begin(name);
    return waitMs;
  }

  /** Counts an attempt that has failed. */
  async fail(name: string): Promise<void> {
    if (!this.#isShared) return;
    const { now, freeAttempts } = this.parts;
    await this.#work.write((tx) => countFailure(tx, name, { freeAttempts, now: now() }));
  }

  /**
   * Forgets the failures before an attempt that succeeds, and returns 0. If others that ran
   * meanwhile have failed too often, the attempt does not count, and the wait is returned.
   */
  async succeed(name: string): Promise<number> {
    const waitMs = await this.#sharedWaitMs(name);
    if (waitMs !== undefined && waitMs > 0) return waitMs;
    if (waitMs === 0) await this.#work.write((tx) => forgetFailures(tx, name));
    this.#throttle.succeed(name);
    return 0;
  }

  get #isShared(): boolean {
    return this.#work.read.dialect === "postgresql";
  }

  /** The wait of all platforms; undefined without a failure. */
  async #sharedWaitMs(name: string): Promise<number | undefined> {
    return this.#isShared ? waitOf(this.#work.read, name, this.parts.now()) : undefined;
  }

  async #clean(): Promise<void> {
    for (let count = cleaningLimit; count === cleaningLimit;) {
      count = await this.#work.write((tx) => deleteExpired(tx, this.parts.now(), cleaningLimit));
    }
  }
}

async function waitOf(reader: Reader, name: string, now: Date): Promise<number | undefined> {
  const time = databaseTimeMs(now);
  const row = await reader.first<{ wait_ms: number }>(statement`select next_at - ${time} as wait_ms
    from failed_sign_ins where name = ${name} and expires_at > ${time}`);
  return row === undefined ? undefined : Math.max(0, Number(row.wait_ms));
}

async function countFailure(
  writer: Writer,
  name: string,
  { freeAttempts, now }: { readonly freeAttempts: number; readonly now: Date },
): Promise<void> {
  const time = databaseTimeMs(now);
  const row = await writer.first<{ failures: number }>(statement`insert into failed_sign_ins as kept
      (name, failures, next_at, expires_at)
    values (${name}, 1, ${time}, ${time} + ${rememberedMs})
    on conflict (name) do update set
      failures = case when kept.expires_at <= ${time} then 1 else kept.failures + 1 end,
      expires_at = excluded.expires_at
    returning failures`);
  const waitMs = waitAfter(Number(row?.failures ?? 1), freeAttempts);
  await writer.run(statement`update failed_sign_ins set next_at = ${time} + ${waitMs}
    where name = ${name}`);
}

async function forgetFailures(writer: Writer, name: string): Promise<void> {
  await writer.run(statement`delete from failed_sign_ins where name = ${name}`);
}

async function deleteExpired(writer: Writer, now: Date, limit: number): Promise<number> {
  const { changedRows } = await writer.run(statement`delete from failed_sign_ins
    where name in (select name from failed_sign_ins
      where expires_at <= ${databaseTimeMs(now)} limit ${limit})`);
  return changedRows;
}
