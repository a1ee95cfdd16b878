import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import * as z from "zod";
import {
  bytesOfPiece,
  pieceOfName,
  readHeader,
  type LogPiece,
} from "../../../database/sqlite/log/log-pieces.ts";
import { isCode } from "../../../files/folders.ts";
import { openBackupKeys } from "../place/backup-keys.ts";
import { openBackupPlace } from "../place/backup-place.ts";
import { SealedObjects } from "../place/sealed-objects.ts";
import { placeOfBackups } from "../schedule/backup-run.ts";
import { storePiece } from "./placed-log.ts";

/** The work of a process that ships copies of the log until it ends. */
export const shipRequest = placeOfBackups.extend({
  /** The folder into which the platform copies its log. */
  shipFrom: z.string(),
});
export type ShipRequest = z.output<typeof shipRequest>;

export const shipEvent = z.discriminatedUnion("event", [
  /** All pieces that were copied until a time are in the place. */
  z.object({ event: z.literal("shipped"), until: z.number(), pieces: z.number() }),
  /** A piece is damaged, e.g. by a power cut: the line has ended before it. */
  z.object({ event: z.literal("gap"), line: z.string() }),
]);
export type ShipEvent = z.output<typeof shipEvent>;

const lookMs = 1_000;
const headerBytes = 128;

/** Ships pieces in their order until the signal aborts. Throws when the place can't be used. */
export async function shipLog(
  request: ShipRequest,
  {
    signal,
    onEvent,
  }: { readonly signal: AbortSignal; readonly onEvent: (event: ShipEvent) => unknown },
): Promise<void> {
  const keys = await openBackupKeys(request, { makes: true });
  const place = await openBackupPlace(request.to, request.credentials);
  const objects = new SealedObjects(place, keys, signal);
  for (;;) {
    signal.throwIfAborted();
    let pieces = 0;
    let until = 0;
    for (const { path, piece } of await waitingPieces(request.shipFrom)) {
      signal.throwIfAborted();
      const isWhole = await isWholePiece(path);
      if (isWhole === false) await onEvent({ event: "gap", line: piece.line });
      else if (isWhole) {
        await storePiece(objects, piece, Bun.file(path).stream());
        pieces += 1;
        until = Math.max(until, piece.until);
      }
      await rm(path, { force: true });
    }
    if (pieces > 0) await onEvent({ event: "shipped", until, pieces });
    await setTimeout(lookMs, undefined, { signal });
  }
}

interface WaitingPiece {
  readonly path: string;
  readonly piece: LogPiece;
}

/** The pieces of all lines, oldest first. A limit of bytes keeps them few. */
async function waitingPieces(folder: string): Promise<readonly WaitingPiece[]> {
  const found: WaitingPiece[] = [];
  for (const line of (await namesIn(folder)).toSorted()) {
    for (const name of (await namesIn(join(folder, line))).toSorted()) {
      const piece = pieceOfName(line, name);
      if (piece !== undefined) found.push({ path: join(folder, line, name), piece });
    }
  }
  return found;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isCode(error, "ENOENT", "ENOTDIR")) return [];
    throw error;
  });
}

/** Undefined for a piece that is gone, because its platform gave the line up. */
async function isWholePiece(path: string): Promise<boolean | undefined> {
  try {
    const header = readHeader(await Bun.file(path).slice(0, headerBytes).bytes());
    return header !== undefined && (await stat(path)).size === bytesOfPiece(header);
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
    throw error;
  }
}
