import * as z from "zod";
import { openBackupKeys } from "../place/backup-keys.ts";
import { openBackupPlace, isBucket } from "../place/backup-place.ts";
import { removeUnfinished } from "../place/folder-place.ts";
import { SealedObjects } from "../place/sealed-objects.ts";
import { packListsBefore, removeListsBefore } from "../log/file-lists.ts";
import { packLogBefore, removeLogBefore } from "../log/placed-log.ts";
import { removeOldSets } from "../sets/remove-old-sets.ts";
import { takeSet } from "../sets/take-set.ts";
import { verifySet } from "../sets/verify-set.ts";

const credentials = z.object({
  accessKeyId: z.string(),
  secretAccessKey: z.string(),
  sessionToken: z.string().optional(),
});

/** A place of backups and its keys. */
export const placeOfBackups = z.object({
  to: z.string(),
  credentials: credentials.optional(),
  backupKeyFile: z.string().optional(),
  recipients: z.array(z.string()),
});

/** Where the platform stores its data. */
export const locationOfData = z.object({
  dataDirectory: z.string(),
  databaseUrl: z.string().optional(),
  keyFile: z.string().optional(),
  filesUrl: z.string().optional(),
  filesCredentials: credentials.optional(),
});

/** The work of one run; it has secrets, so that it is sent through a pipe. */
export const backupRequest = placeOfBackups.extend({
  ...locationOfData.shape,
  /** True if the log of SQLite continues the backup. */
  hasLog: z.boolean().optional(),
  /** How long backups are kept, in milliseconds. */
  keptMs: z.number(),
  /** A stored backup to check, instead of a new one. */
  check: z.string().optional(),
  /** The newest verified backup, which is kept. */
  verified: z.string().optional(),
});
export type BackupRequest = z.output<typeof backupRequest>;

/** The log has a piece for each few seconds: older times have the state of a backup. */
const longestLogMs = 7 * 24 * 60 * 60 * 1000;

/** How long the log is kept next to backups, in milliseconds. */
export function logKeptMs(keptMs: number): number {
  return Math.min(keptMs, longestLogMs);
}

const counts = z.record(z.string(), z.number());

/** A run reports these in this order; `checked` is missing without the private key. */
export const backupEvent = z.discriminatedUnion("event", [
  z.object({ event: z.literal("stored"), name: z.string(), size: z.number(), files: counts }),
  z.object({
    event: z.literal("checked"),
    name: z.string(),
    ok: z.boolean(),
    faults: z.array(z.string()),
    checked: counts,
  }),
  z.object({ event: z.literal("removed"), sets: z.array(z.string()), blobs: z.number() }),
  z.object({
    event: z.literal("failed"),
    error: z.string(),
    /** True when the backup is whole, and only older ones could not be removed. */
    keepsBackup: z.boolean(),
  }),
]);
export type BackupEvent = z.output<typeof backupEvent>;

export interface RunOptions {
  readonly now?: (() => Date) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onEvent: (event: BackupEvent) => unknown;
}

/**
 * Takes a backup, restores it into a scratch folder to check it, and removes old ones. A failure is
 * its last event. Throws the signal's reason.
 */
export async function runBackup(request: BackupRequest, options: RunOptions): Promise<void> {
  const { now = () => new Date(), signal, onEvent } = options;
  const startedAtMs = now().getTime();
  let keepsBackup = false;
  try {
    const keys = await openBackupKeys(request, { makes: true });
    const place = await openBackupPlace(request.to, request.credentials);
    if (!isBucket(request.to)) await removeUnfinished(request.to);
    const objects = new SealedObjects(place, keys, signal);
    let name = request.check;
    if (name === undefined) {
      const taken = await takeSet({ ...request, objects, keys, now, signal });
      ({ name } = taken);
      const { database } = taken.parts;
      const size = database.pieces.reduce((sum, piece) => sum + piece.size, 0);
      await onEvent({ event: "stored", name, size, files: taken.files });
    }
    const keeps = new Set([name, ...(request.verified === undefined ? [] : [request.verified])]);
    if (objects.mayRead) {
      const { ok, faults, checked } = await verifySet({ ...request, objects, name, signal });
      await onEvent({ event: "checked", name, ok, faults: [...faults], checked });
      // The earlier verified one is no longer needed.
      if (ok && request.verified !== undefined) keeps.delete(request.verified);
    }
    const { keptMs } = request;
    keepsBackup = true;
    const nowMs = now().getTime();
    const beforeMs = nowMs - logKeptMs(keptMs);
    await removeLogBefore(place, beforeMs, signal);
    const lists = await removeListsBefore(place, { beforeMs, nowMs }, signal);
    await packLogBefore(place, startedAtMs, signal);
    await packListsBefore(place, startedAtMs, signal);
    const { dataDirectory } = request;
    const hasFewerLists = lists > 0;
    const old = { keptMs, keeps, now: now(), dataDirectory, hasFewerLists, signal };
    const removed = await removeOldSets(objects, old);
    await onEvent({ event: "removed", sets: [...removed.sets], blobs: removed.blobs });
  } catch (error) {
    signal?.throwIfAborted();
    const words = error instanceof Error ? error.message : String(error);
    await onEvent({ event: "failed", error: words, keepsBackup });
  }
}
