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
import { copiedEnd, idleMs } from "../../../database/sqlite/log/log-copier.ts";
import type { PublishedFile } from "../../../files/published-files.ts";
import { openBackupKeys } from "../place/backup-keys.ts";
import { openBackupPlace } from "../place/backup-place.ts";
import { SealedObjects } from "../place/sealed-objects.ts";
import { locationOfData, placeOfBackups } from "../schedule/backup-run.ts";
import { storeEnd, storePiece, type LineEnd } from "./placed-log.ts";
import { FileShipper } from "./ship-files.ts";

/** The work of a process that ships copies of the log until it ends. */
export const shipRequest = placeOfBackups.extend({
  ...locationOfData.shape,
  /** The folder into which the platform copies its log. */
  shipFrom: z.string(),
  /** The folder in which it names the files that it publishes. */
  filesFrom: z.string(),
  /** How long the log and lists of files are kept, in milliseconds. */
  keptMs: z.number(),
});
export type ShipRequest = z.output<typeof shipRequest>;

export const shipEvent = z.discriminatedUnion("event", [
  /** All pieces that were copied until a time are in the place. */
  z.object({ event: z.literal("shipped"), until: z.number(), pieces: z.number() }),
  /** A piece is damaged, e.g. by a power cut: the line has ended before it. */
  z.object({ event: z.literal("gap"), line: z.string() }),
  /** A file that a record or document needs is missing or damaged. */
  z.object({ event: z.literal("lost"), sha256: z.string() }),
]);
export type ShipEvent = z.output<typeof shipEvent>;

const lookMs = 1_000;
const headerBytes = 128;

/**
 * Ships files, and then the pieces that name them, in their order until the signal aborts. Throws
 * when the place can't be used.
 */
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
  const onLost = ({ sha256 }: PublishedFile): unknown => onEvent({ event: "lost", sha256 });
  const files = await FileShipper.open({ location: request, objects, keys, signal, onLost });
  try {
    const line = new ShippedLine(objects, request.shipFrom, onEvent, signal);
    for (;;) {
      signal.throwIfAborted();
      const next = await line.look();
      // A piece may name any file that was published before it.
      await files.ship();
      await line.ship(next);
      await setTimeout(lookMs, undefined, { signal });
    }
  } finally {
    await files.close();
  }
}

interface Waiting {
  readonly pieces: readonly WaitingPiece[];
  readonly end: LineEnd | undefined;
}

class ShippedLine {
  #untilMs = 0;

  constructor(
    private readonly objects: SealedObjects,
    private readonly folder: string,
    private readonly onEvent: (event: ShipEvent) => unknown,
    private readonly signal: AbortSignal,
  ) {}

  /** The pieces that wait, and the end that the platform has noted before the last of them. */
  async look(): Promise<Waiting> {
    const end = copiedEnd(this.folder);
    return { end, pieces: await waitingPieces(this.folder) };
  }

  async ship({ pieces, end }: Waiting): Promise<void> {
    let shipped = 0;
    for (const { path, piece } of pieces) {
      this.signal.throwIfAborted();
      const isWhole = await isWholePiece(path);
      if (isWhole === false) await this.onEvent({ event: "gap", line: piece.line });
      else if (isWhole) {
        await storePiece(this.objects, piece, Bun.file(path).stream());
        shipped += 1;
        this.#untilMs = Math.max(this.#untilMs, piece.until);
      }
      await rm(path, { force: true });
    }
    const isIdle = end !== undefined && end.until - this.#untilMs >= idleMs;
    if (isIdle) {
      await storeEnd(this.objects.place, end);
      this.#untilMs = end.until;
    }
    if (!isIdle && shipped === 0) return;
    await this.onEvent({ event: "shipped", until: this.#untilMs, pieces: shipped });
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
