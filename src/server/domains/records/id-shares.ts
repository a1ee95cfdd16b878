import { databaseTimeMs } from "../../database/dialect.ts";
import { statement } from "../../database/statement.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import type { Logger } from "../../kit/logger.ts";
import type { OrderedUuids } from "../../kit/ordered-uuid.ts";
import type { Work } from "../../work/work.ts";

const leaseMs = 60_000;
const renewalMs = 10_000;
/** The platform stops to use a share before another one may have it. */
const marginMs = 10_000;
const event = "id-share-not-leased";

interface Parts {
  readonly work: Work;
  readonly ids: OrderedUuids;
  /** The id of this process. */
  readonly platform: string;
  readonly now: () => Date;
  readonly lifetime: Pick<Lifetime, "every" | "onClose">;
  readonly logger: Pick<Logger, "warn">;
}

/**
 * Leases a share of the numbers of ids from a PostgreSQL database, so that no two of its platforms
 * make ids with one number. Without a lease the platform uses the share that all such ones have:
 * records then may have one number, which SQLite allows too (`database/shared-numbers.ts`).
 */
export class IdShares {
  #share: number | undefined;

  constructor(private readonly parts: Parts) {}

  /** Leases a share now, and until the close. On SQLite the platform is alone, and needs none. */
  async begin(): Promise<void> {
    const { work, ids, lifetime, logger } = this.parts;
    if (work.read.dialect === "sqlite") return;
    ids.useCommonShare();
    lifetime.onClose(() => this.#release());
    lifetime.every(renewalMs, event, () => this.#renew());
    try {
      await this.#renew();
    } catch (error) {
      // A database that is read-only now takes the lease later.
      logger.warn({ event, error: String(error) });
    }
  }

  async #renew(): Promise<void> {
    const { work, ids, platform, now } = this.parts;
    const begunMs = Date.now();
    const begun = performance.now();
    const time = databaseTimeMs(now());
    const share = await work.write(async (tx) => {
      const kept = await tx.all<{ share: number }>(statement`update id_shares
        set lease_until = ${time} + ${leaseMs}
        where share = ${this.#share ?? 0} and platform = ${platform} returning share`);
      // The share that was left first, so that a platform that is paused keeps its own for long.
      const [row] =
        kept.length > 0
          ? kept
          : await tx.all<{ share: number }>(statement`update id_shares
              set platform = ${platform}, lease_until = ${time} + ${leaseMs}
              where share = (select share from id_shares where lease_until < ${time}
                order by lease_until, share limit 1 for update skip locked) returning share`);
      return row === undefined ? undefined : Number(row.share);
    });
    this.#share = share;
    const lastsMs = leaseMs - marginMs;
    if (share === undefined) ids.useCommonShare();
    else ids.useShare(share, { untilMs: begunMs + lastsMs, until: begun + lastsMs });
  }

  /** Gives the share back. Where the database takes no write, the lease ends by itself. */
  async #release(): Promise<void> {
    const { work, ids, platform, now } = this.parts;
    const share = this.#share;
    ids.useCommonShare();
    if (share === undefined) return;
    const given = work.write((tx) =>
      tx.run(statement`update id_shares set lease_until = ${databaseTimeMs(now())}
        where share = ${share} and platform = ${platform}`),
    );
    await given.catch(() => {});
  }
}
