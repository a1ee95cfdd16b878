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
import { packedPlace, packObjects, removePlaced, sidecar } from "../place/packed-objects.ts";
import type { BackupPlace } from "../place/placed-objects.ts";
import { storedContent, type SealedObjects } from "../place/sealed-objects.ts";

/**
 * `log/<line>/<piece>.json` has the digests of the content `log/<line>/<piece>`, and
 * `log/<line>/end.json` the end of the line while nothing is committed.
 */
const folder = "log";
const endName = "end";

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

function digestOf(unsigned: SetPosition | LineEnd): string {
  return Bun.CryptoHasher.hash("sha256", sortedJson(unsigned), "hex");
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

const lineEnd = z.object({
  line: z.string(),
  /** The number of the last piece; 0 before the first one. */
  sequence: z.int().min(0),
  /** Nothing but the pieces was committed before this time, in milliseconds. */
  until: z.number(),
  /** The place in the log of the last commit. */
  salt: z.string(),
  frame: z.int().min(0),
});
const endText = lineEnd.extend({ sha256: z.string() });
export type LineEnd = z.output<typeof lineEnd>;

/** Stores until when a line has all commits, which replaces an earlier time. */
export async function storeEnd(place: BackupPlace, end: LineEnd): Promise<void> {
  const text = JSON.stringify({ ...end, sha256: digestOf(end) });
  await place.put(`${folder}/${end.line}/${endName}${sidecar}`, Buffer.from(text));
}

/** Undefined for an end that was removed or is damaged, which only says less. */
async function readEnd(place: BackupPlace, name: string): Promise<LineEnd | undefined> {
  const bytes = await place.read(name);
  const parsed = endText.safeParse(parsedJson(Buffer.from(bytes ?? "").toString())).data;
  if (parsed === undefined) return undefined;
  const { sha256, ...end } = parsed;
  return sha256 === digestOf(end) ? end : undefined;
}

/** The log of a place. */
export interface PlacedLog {
  /** All whole pieces, in the order of their lines and numbers. */
  readonly pieces: readonly LogPiece[];
  readonly ends: readonly LineEnd[];
}

export async function placedLog(place: BackupPlace): Promise<PlacedLog> {
  const [pieces, ends]: [LogPiece[], LineEnd[]] = [[], []];
  const packed = await packedPlace(place, folder);
  for await (const { name } of packed.list(folder)) {
    if (!name.endsWith(sidecar)) continue;
    const piece = pieceOf(name);
    if (piece !== undefined) pieces.push(piece);
    else if (isEnd(name)) {
      const end = await readEnd(place, name);
      if (end !== undefined) ends.push(end);
    }
  }
  const sorted = pieces.toSorted(
    (one, other) =>
      one.line.localeCompare(other.line) ||
      one.sequence - other.sequence ||
      one.until - other.until,
  );
  return { pieces: sorted, ends };
}

/** The piece of which an object is a part. */
function pieceOf(name: string): LogPiece | undefined {
  const [, line = "", file = ""] = name.split("/");
  return pieceOfName(line, file.replace(/\.(json|\d+)$/, ""));
}

function isEnd(name: string): boolean {
  return name.endsWith(`/${endName}${sidecar}`);
}

/** The part of a log that continues a backup. */
export interface LogAfter {
  readonly pieces: readonly LogPiece[];
  /** Nothing else was committed before this time, in milliseconds; undefined if unknown. */
  readonly endMs: number | undefined;
}

export function logAfter({ pieces, ends }: PlacedLog, position: SetPosition): LogAfter {
  const after = piecesAfter(pieces, position);
  const last = after.at(-1);
  const end = ends.find((each) =>
    last === undefined
      ? each.salt === position.salt && each.frame === position.frame
      : each.line === last.line && each.sequence === last.sequence,
  );
  return { pieces: after, endMs: end?.until };
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
  /** True if the log shows that nothing else was committed before the time. */
  readonly isCertain: boolean;
}

/** The newest state that is not later than a time. */
export function planTo(
  { pieces: after, endMs = 0 }: LogAfter,
  { takenMs, atMs }: { readonly takenMs: number; readonly atMs: number },
): LogPlan {
  const later = after.findIndex(({ until }) => until > atMs);
  const pieces = after.slice(0, later === -1 ? after.length : later);
  const next = after[pieces.length];
  const until = Math.max(takenMs, pieces.at(-1)?.until ?? takenMs);
  // Nothing was committed between two pieces, nor after the last one before the end of the line:
  // the state lasted.
  const lastedMs = next?.since ?? endMs;
  const reachedMs = Math.max(until, Math.min(atMs, lastedMs));
  return { pieces, reachedMs, isCertain: next !== undefined || atMs <= endMs };
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
  const packed = objects.over(await packedPlace(objects.place, folder));
  for (const piece of pieces) {
    signal?.throwIfAborted();
    const name = objectOf(piece);
    const bytes = await packed.place.read(name + sidecar);
    const stored = storedContent.safeParse(parsedJson(Buffer.from(bytes ?? "").toString()));
    if (!stored.success) throw new DamagedFileError(`The log's ${name} is damaged`);
    const form = { isSealed: true, isCompressed: true };
    await applyPiece(path, packed.read(name, stored.data, form));
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

/** Packs the pieces that ended before a time into few objects; returns how many it packed. */
export async function packLogBefore(
  place: BackupPlace,
  beforeMs: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const isPacked = (name: string): boolean => (pieceOf(name)?.until ?? beforeMs) < beforeMs;
  return packObjects(place, folder, isPacked, signal);
}

/** Removes pieces that ended before a time; returns how many. */
export async function removeLogBefore(
  place: BackupPlace,
  beforeMs: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const isOld = (name: string): boolean => (pieceOf(name)?.until ?? beforeMs) < beforeMs;
  const removed = await removePlaced(place, folder, isOld, signal);
  for await (const { name } of place.list(folder)) {
    if (!isEnd(name)) continue;
    const end = await readEnd(place, name);
    if (end !== undefined && end.until < beforeMs) await place.remove(name);
  }
  return removed;
}
