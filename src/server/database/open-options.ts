import type { ChangeCount } from "../kit/change-count.ts";
import type { OrderedUuids } from "../kit/ordered-uuid.ts";
import type { Promisable } from "../kit/promisable.ts";
import type { Tuning } from "../kit/tuning.ts";
import type { LogCopies } from "./sqlite/checkpoint-worker.ts";
import type { Migration } from "./migration.ts";
import type { SessionSource } from "./postgresql/sessions.ts";

export interface DatabaseOptions {
  /** A URL: `sqlite:/dir/svc.db`, or `postgres://user:password@host:port/name`. */
  readonly url: string;
  /** All migrations in their order; those that are pending run. */
  readonly migrations: readonly Migration[];
  /** SQLite: directory of the copies made before migrations; `backups` next to the file. */
  readonly backupDirectory?: string;
  /**
   * SQLite: false for a tool that runs next to a platform (`svc serve token`). It shares the file,
   * and may migrate it only while no platform serves it. True: one process per data directory.
   */
  readonly isExclusive?: boolean;
  /** SQLite: largest size of the database file; beyond it writes throw `StorageFullError`. */
  readonly maximumBytes?: number;
  /** SQLite: shared with other threads that read; without, one thread reads. */
  readonly reads?: SharedReads;
  /** SQLite: a folder to which the log is copied, for its shipment to a place of backups. */
  readonly copies?: LogCopies;
  /** SQLite: sorts in a file, for a tool that makes large indexes. Writes are slower. */
  readonly sortsInFile?: boolean;
  /** PostgreSQL: connections for reads, for pages and for writes. Default 5, with 20 in all. */
  readonly poolSize?: number;
  /** PostgreSQL: a connection that is unused for so long closes. Default 60. */
  readonly idleSeconds?: number;
  /** PostgreSQL: opens the sessions, for tests whose databases come in turn. */
  readonly sessions?: SessionSource;
  /** Units, reads or scans that may wait before `OverloadedError`. Default 10,000. */
  readonly queueLimit?: number;
  /** Time limit of a unit. Default 5,000. */
  readonly unitTimeoutMs?: number;
  /** Default limit of a scan, without its wait for a permit. Default 10,000. */
  readonly scanTimeLimitMs?: number;
  readonly tuning?: Tuning;
  readonly now?: () => Date;
  /** Called with the names of the committed migrations, unless none was pending. */
  readonly onMigrated?: (names: readonly string[]) => void;
  /** SQLite: called with the size of a large database before its migrations start. */
  readonly onMigrating?: (bytes: number) => Promisable<void>;
}

export type OpenOptions = Required<Omit<DatabaseOptions, OptionalOption>> &
  Pick<DatabaseOptions, OptionalOption>;

type OptionalOption = "backupDirectory" | "maximumBytes" | "copies" | "sessions";

export interface SharedReads {
  /** A count that each commit raises. */
  readonly commits: ChangeCount;
  readonly ids: OrderedUuids;
  /** Number of threads that read and share the cache size. */
  readonly threads: number;
}
