import { join } from "node:path";
import { given } from "#lib/given.ts";
import type { Database } from "../../database/database.ts";
import type { LogCopies } from "../../database/sqlite/checkpoint-worker.ts";
import type { PlatformBase } from "../../domains/base.ts";
import type { PlatformOptions } from "../options.ts";
import { sqliteFileOf } from "../storage-location.ts";
import { FileJournal } from "./log/file-journal.ts";
import { LogShipping } from "./log/log-shipping.ts";
import { logKeptMs } from "./schedule/backup-run.ts";
import { ScheduledBackups } from "./schedule/scheduled-backups.ts";

/** Copies of the log that wait while the place of backups can't be reached. */
const waitingBytes = 1024 * 1024 * 1024;

/** Where the platform copies its log to; undefined without backups and on PostgreSQL. */
export function copiesOf(options: PlatformOptions): LogCopies | undefined {
  const isCopied = options.backups !== undefined && sqliteFileOf(options) !== undefined;
  if (!isCopied) return undefined;
  return { folder: join(options.dataDirectory, "log-copies"), limitBytes: waitingBytes };
}

/** The journal of published files, which are shipped with the log; undefined without it. */
export function journalOf(options: PlatformOptions): FileJournal | undefined {
  return copiesOf(options) && new FileJournal(journalFolder(options));
}

function journalFolder({ dataDirectory }: PlatformOptions): string {
  return join(dataDirectory, "file-journal");
}

/** The schedule of backups, which on SQLite also ships the log; undefined without one. */
export function openBackups(
  options: PlatformOptions,
  base: PlatformBase,
  { copyLog }: Pick<Database, "copyLog">,
): ScheduledBackups | undefined {
  const { backups } = options;
  if (backups === undefined) return undefined;
  const copies = copiesOf(options);
  if (copyLog === undefined || copies === undefined) {
    return new ScheduledBackups(base, options, backups);
  }
  const { to, credentials, backupKeyFile, recipients = [], command } = backups;
  const place = { to, recipients: [...recipients], ...given({ credentials, backupKeyFile }) };
  const { dataDirectory, databaseUrl, keyFile, filesUrl, filesCredentials } = options;
  const request = {
    ...place,
    dataDirectory,
    ...given({ databaseUrl, keyFile, filesUrl, filesCredentials }),
    shipFrom: copies.folder,
    filesFrom: journalFolder(options),
    keptMs: logKeptMs(backups.keptMs),
  };
  const { lifetime, logger } = base;
  const shipping = new LogShipping({ copyLog, lifetime, logger, request, command });
  return new ScheduledBackups(base, options, backups, shipping);
}
