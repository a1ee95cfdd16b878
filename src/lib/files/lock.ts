import type { Database } from "bun:sqlite";
import { constants, open } from "node:fs/promises";
import { sleep } from "../time/sleep.ts";

/** The lock could not be taken: another holder kept it too long, or the file is not a lock. */
export class FileLockError extends Error {
  override readonly name = "FileLockError";
  readonly reason: "timeout" | "damaged";
  constructor(path: string, reason: FileLockError["reason"]) {
    super(reason === "timeout" ? `${path} stayed locked` : `${path} is not a lock file`);
    this.reason = reason;
  }
}

export interface FileLockOptions {
  /** Longest wait for the lock (default 15,000). */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const defaultTimeoutMs = 15_000;
const shortestPauseMs = 4;
const longestPauseMs = 25;

/** Runs `work` under SQLite's exclusive lock on a file; the system frees it if its holder dies. */
export async function withFileLock<Result>(
  path: string,
  work: () => Promise<Result>,
  options: FileLockOptions = {},
): Promise<Result> {
  // SQLite would make a new file readable for all users.
  await (await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)).close();
  // Loaded late: a command that only reads needs no lock.
  const sqlite = await import("bun:sqlite");
  const database = new sqlite.Database(path, { readwrite: true });
  try {
    // Waiting inside SQLite would block the event loop and a holder in this process.
    database.run("PRAGMA busy_timeout = 0");
    await acquire(database, path, options);
    try {
      return await work();
    } finally {
      database.run("ROLLBACK");
    }
  } finally {
    database.close();
  }
}

async function acquire(database: Database, path: string, options: FileLockOptions): Promise<void> {
  const endsAtMs = performance.now() + (options.timeoutMs ?? defaultTimeoutMs);
  for (;;) {
    try {
      database.run("BEGIN EXCLUSIVE");
      return;
    } catch (error) {
      if (!isBusy(error)) throw systemErrorOf(error) ?? new FileLockError(path, "damaged");
    }
    if (performance.now() >= endsAtMs) throw new FileLockError(path, "timeout");
    // Random pauses keep waiting processes from retrying at the same time.
    const pauseMs = shortestPauseMs + Math.random() * (longestPauseMs - shortestPauseMs);
    await sleep(pauseMs, options.signal);
  }
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)/.test(sqliteCode(error));
}

function systemErrorOf(error: unknown): Error | undefined {
  const code = sqliteCode(error);
  const [, systemCode] =
    refusals.find(([sqlite]) => code === sqlite || code.startsWith(`${sqlite}_`)) ?? [];
  return systemCode && Object.assign(new Error(code, { cause: error }), { code: systemCode });
}

const refusals = [
  ["SQLITE_FULL", "ENOSPC"],
  ["SQLITE_CANTOPEN", "EACCES"],
  ["SQLITE_READONLY", "EACCES"],
  ["SQLITE_IOERR", "EIO"],
] as const;

function sqliteCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
