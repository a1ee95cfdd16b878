import { catalogError } from "#contract/errors.ts";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { keptText } from "../../domains/secrets/service.ts";
import { statement } from "../../database/statement.ts";
import type { BlobStore } from "../../files/blob-store.ts";
import { openPlatformDatabase } from "../../schema/platform-database.ts";
import {
  databaseUrlOf,
  openBlobs,
  requireData,
  sqliteFileOf,
  type StorageLocation,
} from "../storage-location.ts";
import { sourceMark, targetState, type SourceMark, type TargetState } from "./move-state.ts";
import { openPostgresqlSide } from "./postgresql-side.ts";
import type { Side } from "./side.ts";
import { openSqliteSide } from "./sqlite-side.ts";
import { movedTables, type MovedTable } from "./tables.ts";

export interface MovePlaces {
  readonly from: StorageLocation;
  readonly to: StorageLocation;
}

/** Both databases of a move, with what they know of it. */
export interface OpenMove {
  readonly source: Side;
  readonly target: Side;
  readonly tables: readonly MovedTable[];
  readonly files: { readonly source: BlobStore; readonly target: BlobStore };
  readonly mark: SourceMark | undefined;
  /** Undefined for a target without data. */
  readonly state: TargetState | undefined;
  /** Names the platform whose data the source has. */
  readonly platform: string;
}

/**
 * Opens both places, which a move then has for itself as far as it writes there. Refuses a target
 * with other data (E205), and a source without data (E202).
 */
export async function withPlaces<Result>(
  { from, to, writes }: MovePlaces & { readonly writes: boolean },
  run: (open: OpenMove) => Promise<Result>,
): Promise<Result> {
  if ((sqliteFileOf(from) === undefined) === (sqliteFileOf(to) === undefined)) {
    throw catalogError(
      "E305",
      { details: "a move is from SQLite to PostgreSQL, or from PostgreSQL to SQLite" },
      {
        hint: "Between two of a kind use `svc serve backup` and restore, or pg_dump and pg_restore",
      },
    );
  }
  requireData(from);
  if (!writes) requireData(to);
  await mkdir(to.dataDirectory, { recursive: true, mode: 0o700 });
  await migrated(from);
  await migrated(to);
  const lock = writes ? await lockTarget(to) : { release: () => {} };
  const opened: Side[] = [];
  try {
    const [source, target] = [await openSide(from), await openSide(to)];
    opened.push(source, target);
    const tables = await movedTables(source.reader, target.reader);
    const files = { source: await openBlobs(from), target: await openBlobs(to) };
    const platform = await platformOf(source);
    if (platform === undefined) throw noPlatform(from);
    const [mark, state] = [await sourceMark(source.reader), await targetState(target.reader)];
    if (
      state === undefined ? (await platformOf(target)) !== undefined : state.platform !== platform
    ) {
      throw catalogError(
        "E205",
        { details: `the target ${placeName(to)} has the data of another platform` },
        { hint: "Give an empty database" },
      );
    }
    return await run({ source, target, tables, files, mark, state, platform });
  } finally {
    await Promise.all(opened.map((side) => side.close()));
    lock.release();
  }
}

/** Both databases get the schema of this `svc`; a new one gets all of it. */
async function migrated(place: StorageLocation): Promise<void> {
  const url = databaseUrlOf(place);
  await (await openPlatformDatabase({ url, isExclusive: false, poolSize: 1 })).close();
}

function openSide(place: StorageLocation): Promise<Side> | Side {
  const path = sqliteFileOf(place);
  return path === undefined ? openPostgresqlSide(databaseUrlOf(place)) : openSqliteSide(path);
}

/** No platform and no other move may use an SQLite target. */
async function lockTarget(to: StorageLocation): Promise<{ release(): void }> {
  const path = sqliteFileOf(to);
  if (path === undefined) return { release: () => {} };
  const { lockDirectory } = await import("../../database/sqlite/directory-lock.ts");
  return lockDirectory(`${resolve(path)}.lock`, to.dataDirectory);
}

/** The digest of the sealed master secret; undefined before the first start of a platform. */
async function platformOf({ reader }: Side): Promise<string | undefined> {
  const sealed = await keptText(reader, "master");
  if (sealed !== undefined) return Bun.CryptoHasher.hash("sha256", sealed, "hex");
  const user = await reader.first(statement`select oid from users limit 1`);
  return user === undefined ? undefined : "";
}

function noPlatform({ dataDirectory }: StorageLocation): Error {
  return catalogError(
    "E202",
    { resource: `Platform data in ${dataDirectory}` },
    { hint: "Start it once with `svc serve`, or give another place with --from" },
  );
}

/** The name of a place for messages, without a password. */
export function placeName(place: StorageLocation): string {
  const path = sqliteFileOf(place);
  if (path !== undefined) return `sqlite:${join(path, "..")}`;
  const url = databaseUrlOf(place);
  if (!URL.canParse(url)) return "postgres:";
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}
