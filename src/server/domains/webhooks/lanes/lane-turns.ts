import type { Dialect } from "../../../database/statement.ts";
import { Permits } from "../../../kit/turns/permits.ts";
import type { LaneName } from "./room.ts";

/** PostgreSQL has five connections for writes by default. */
const unsoundAtOnce = 2;
const queueLimit = 10_000;
/** A delivery whose outcome is not stored for this time is sent again. */
const waitLimitMs = 60_000;

/**
 * Bounds the transactions of endpoints that do not answer. On PostgreSQL each one takes a
 * connection, which the writes of others would wait for. On SQLite all of them share commits.
 */
export class LaneTurns {
  readonly #unsound: Permits | undefined;

  constructor(dialect: Dialect) {
    if (dialect === "sqlite") return;
    this.#unsound = new Permits({ count: unsoundAtOnce, queueLimit, waitLimitMs });
  }

  /** Runs work of one transaction after the other. */
  run<T>(lane: LaneName, work: () => Promise<T>): Promise<T> {
    if (lane === "sound" || this.#unsound === undefined) return work();
    return this.#unsound.hold(work);
  }
}
