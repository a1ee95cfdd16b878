import * as z from "zod";
import { parsedJson, sortedJson } from "#lib/json/value.ts";
import {
  applyPiece,
  nameOfPiece,
  pieceOfName,
  type LogPiece,
} from "../../../database/sqlite/log/log-pieces.ts";
import { SqliteConnection } from "../../../database/sqlite/sqlite-connection.ts";
import { DamagedFileError } from "../../../kit/storage-errors.ts";
import type { BackupPlace } from "../place/placed-objects.ts";
import { storedContent, type SealedObjects } from "../place/sealed-objects.ts";

/** `log/<line>/<piece>.json` has the digests of the content `log/<line>/<piece>`. */
const folder = "log";
const sidecar = ".json";

/** The place in the log at which a backup was taken. */
export interface SetPosition {
  readonly salt: string;
  readonly frame: number;
}

const position = z.object({ salt: z.string(), frame: z.int().min(0) });
const positionText = position.extend({ sha256: z.string() });

/** Stores the place of a backup in the log; its manifest comes later. */
export async function storePosition(
  place: BackupPlace,
  set: string,
  found: SetPosition,
): Promise<void> {
  const text = JSON.stringify({ ...found, sha256: digestOf(found) });
  await place.put(positionName(set), Buffer.from(text));
}

/** Undefined for a backup that no log continues. Throws `DamagedFileError`. */
export async function positionOf(
  place: BackupPlace,
  set: string,
): Promise<SetPosition | undefined> {
  const bytes = await place.read(positionName(set));
  if (bytes === undefined) return undefined;
  const parsed = positionText.safeParse(parsedJson(Buffer.from(bytes).toString()));
  const { salt = "", frame = 0, sha256 } = parsed.data ?? {};
  if (sha256 === digestOf({ salt, frame })) return { salt, frame };
  throw new DamagedFileError(`The place in the log of the backup ${set} is damaged`);
}

function positionName(set: string): string {
  return `sets/${set}/log${sidecar}`;
}

function digestOf({ salt, frame }: SetPosition): string {
  return Bun.CryptoHasher.hash("sha256", sortedJson({ salt, frame }), "hex");
}

/** Stores a piece; it exists with its last object. */
export async function storePiece(
  objects: SealedObjects,
  piece: LogPiece,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const name = objectOf(piece);
  const stored = await objects.put(name, content, { isSealed: true, isCompressed: true });
  await objects.place.put(name + sidecar, Buffer.from(JSON.stringify(stored)));
}

function objectOf(piece: LogPiece): string {
  return `${folder}/${piece.line}/${nameOfPiece(piece)}`;
}

/** All whole pieces of a place, in the order of their lines and numbers. */
export async function placedPieces(place: BackupPlace): Promise<readonly LogPiece[]> {
  const pieces: LogPiece[] = [];
  for await (const { name } of place.list(folder)) {
    const [, line = "", file = ""] = name.split("/");
    if (!file.endsWith(sidecar)) continue;
    const piece = pieceOfName(line, file.slice(0, -sidecar.length));
    if (piece !== undefined) pieces.push(piece);
  }
  return pieces.toSorted(
    (one, other) =>
      one.line.localeCompare(other.line) ||
      one.sequence - other.sequence ||
      one.until - other.until,
  );
}

/** The pieces that follow a backup without a gap, in order. */
export function piecesAfter(
  pieces: readonly LogPiece[],
  { salt, frame }: SetPosition,
): readonly LogPiece[] {
  const first = pieces.findIndex(
    (piece) => piece.salt === salt && piece.from <= frame && frame <= piece.to,
  );
  const found: LogPiece[] = [];
  for (const piece of first === -1 ? [] : pieces.slice(first)) {
    const last = found.at(-1);
    // A piece that was made again after a kill has the same number.
    const isNext =
      last === undefined || (last.line === piece.line && piece.sequence - last.sequence <= 1);
    if (!isNext) break;
    found.push(piece);
  }
  return found;
}

/** The part of a log that gives the state at a time, from a backup. */
export interface LogPlan {
  readonly pieces: readonly LogPiece[];
  /** The time of the state, in milliseconds. */
  readonly reachedMs: number;
  /** True if a later piece shows that nothing else was committed before the time. */
  readonly isCertain: boolean;
}

/** The newest state that is not later than a time. */
export function planTo(
  after: readonly LogPiece[],
  { takenMs, atMs }: { readonly takenMs: number; readonly atMs: number },
): LogPlan {
  const later = after.findIndex(({ until }) => until > atMs);
  const pieces = after.slice(0, later === -1 ? after.length : later);
  const next = after[pieces.length];
  const until = Math.max(takenMs, pieces.at(-1)?.until ?? takenMs);
  // Nothing was committed between two pieces: the state at their border lasted.
  const reachedMs = Math.max(until, Math.min(atMs, next?.since ?? until));
  return { pieces, reachedMs, isCertain: next !== undefined };
}

/**
 * Brings a restored SQLite file, which no connection uses, to the end of a plan, and checks its
 * pages. Throws `DamagedFileError`.
 */
export async function applyLog(
  objects: SealedObjects,
  pieces: readonly LogPiece[],
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const piece of pieces) {
    signal?.throwIfAborted();
    const name = objectOf(piece);
    const bytes = await objects.place.read(name + sidecar);
    const stored = storedContent.safeParse(parsedJson(Buffer.from(bytes ?? "").toString()));
    if (!stored.success) throw new DamagedFileError(`The log's ${name} is damaged`);
    const form = { isSealed: true, isCompressed: true };
    await applyPiece(path, objects.read(name, stored.data, form));
  }
  if (pieces.length === 0) return;
  const connection = new SqliteConnection(path, { readonly: true });
  try {
    const [row] = connection.run("pragma quick_check(1)", []).rows;
    const outcome = Object.values(row ?? {})[0];
    if (outcome === "ok") return;
    throw new DamagedFileError(`The log does not fit the backup: ${String(outcome)}`);
  } finally {
    connection.close();
  }
}

/** Removes pieces that ended before a time; returns how many. */
export async function removeLogBefore(
  place: BackupPlace,
  beforeMs: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  let removed = 0;
  for (const isOfContent of [false, true]) {
    for await (const { name } of place.list(folder)) {
      signal?.throwIfAborted();
      const [, line = "", file = ""] = name.split("/");
      const piece = pieceOfName(line, file.replace(/\.(json|\d+)$/, ""));
      // The digests go first: a piece without them does not exist.
      if (piece === undefined || piece.until >= beforeMs) continue;
      if (name.endsWith(sidecar) === isOfContent) continue;
      await place.remove(name);
      removed += isOfContent ? 0 : 1;
    }
  }
  return removed;
}
