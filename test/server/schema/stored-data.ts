import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { SQL } from "bun";
import { createPlatform, type LogEvent, type Platform } from "#server/platform.ts";
import { caller, testBaseUrl, type Caller } from "#test/support/platform.ts";
import type { TestDatabase } from "#test/support/postgres.ts";
import { svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import type { Issued } from "../../../scripts/stored-data/issued.ts";
import type { StoredRead } from "../../../scripts/stored-data/reads.ts";

/** Each folder has the data that the platform of one commit stored; see scripts/stored-data.ts. */
const folder = join(import.meta.dirname, "stored");

export const commits: readonly string[] = await readdir(folder);

/** Data that the platform of an earlier commit stored, unpacked, and what it answered. */
export interface StoredData {
  readonly dataDirectory: string;
  /** PostgreSQL; the data directory has an SQLite database. */
  readonly databaseUrl: string | undefined;
  /** When the answers were recorded. */
  readonly at: string;
  readonly issued: Issued;
  /** The ends of audit logs by the path of their owner. */
  readonly heads: Readonly<Record<string, { readonly sequence: number; readonly digest: string }>>;
  readonly reads: readonly StoredRead[];
}

/** Unpacks the data of a commit; `database` is an empty one. */
export async function unpack(commit: string, database: TestDatabase): Promise<StoredData> {
  const { engine, url } = database;
  const packed = await Bun.file(join(folder, commit, `${engine}.tar.zst`)).bytes();
  const directory = await temporaryDirectory("stored");
  const files = await new Bun.Archive(await Bun.zstdDecompress(packed)).files();
  for (const [name, file] of files) {
    const path = join(directory, name);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, await file.bytes(), { mode: 0o600 });
  }
  if (engine === "postgresql") {
    await using sql = new SQL(url, { max: 1 });
    await sql.unsafe(await Bun.file(join(directory, "database.sql")).text());
  }
  const recorded = (await Bun.file(join(directory, "recorded.json")).json()) as Pick<
    StoredData,
    "at" | "issued" | "heads" | "reads"
  >;
  const databaseUrl = engine === "postgresql" ? url : undefined;
  return { ...recorded, dataDirectory: join(directory, "data"), databaseUrl };
}

/** The present platform on stored data, with a clock that goes on from their time. */
export interface OpenedData {
  readonly platform: Platform;
  /** Calls with the token of the first user. */
  readonly admin: Caller;
  readonly token: string;
  readonly log: readonly LogEvent[];
  now(): Date;
}

/** The present platform without data, on SQLite; closed at the end of its scope. */
export async function openEmpty(): Promise<OpenedData & AsyncDisposable> {
  const dataDirectory = await temporaryDirectory("empty");
  const opened = await openStored({ dataDirectory, databaseUrl: undefined });
  return { ...opened, [Symbol.asyncDispose]: () => opened.platform.close() };
}

export async function openStored(
  stored: Pick<StoredData, "dataDirectory" | "databaseUrl">,
): Promise<OpenedData> {
  const now = (): Date => new Date();
  const log: LogEvent[] = [];
  const note = (event: LogEvent): void => void log.push(event);
  const platform = await createPlatform({
    dataDirectory: stored.dataDirectory,
    databaseUrl: stored.databaseUrl,
    baseUrl: testBaseUrl,
    logger: { info: () => {}, warn: note, error: note },
    now,
    // The database has the real time, from which its clock does not differ.
    systemMs: () => performance.timeOrigin + performance.now(),
    extractionCommand: [await svcExecutable(), "__extract"],
  });
  const { token } = await platform.mintToken({ ttlMs: 3_600_000 });
  const admin = caller((request) => platform.fetch(request), token);
  return { platform, admin, token, log, now };
}
