import { Refusal } from "#contract/problems.ts";
import type { StagedBlob } from "./blob-store.ts";
import { isFileBeingRemoved } from "./reference-store.ts";
import { removalsOf } from "./removal-store.ts";
import type { Database, Writer } from "../database/database.ts";

/** A removal takes its bytes away within this time, or the upload is refused for now. */
const removalWaitMs = 5_000;
const removalPollMs = 25;

/** Rolls the unit back: somebody takes the same bytes away, or just did. */
class BeingRemoved extends Error {}

/** Refuses the unit that it is called in where one of the blobs is about to go. */
export type RequireStored = (writer: Writer) => Promise<void>;

/**
 * Publishes staged blobs for a unit that names them. `work` makes that unit, and calls
 * `requireStored` in it before it names anything: where the same bytes are being removed, the unit
 * is taken back, the removal is waited for, and all of it is done again. 503 when that takes longer
 * than 5 s.
 */
export async function acceptBlobs<Result>(
  options: {
    readonly database: Database;
    readonly staged: readonly StagedBlob[];
    /** Called before each wait: a removal that is due may begin at once. */
    readonly onWait?: () => void;
  },
  work: (requireStored: RequireStored) => Promise<Result>,
): Promise<Result> {
  const { database, staged, onWait } = options;
  for (let waitedMs = 0; ; waitedMs += removalPollMs) {
    // Again after each wait: the removal that was waited for took the bytes away.
    const removals = new Map<StagedBlob, number>();
    for (const blob of staged) {
      removals.set(blob, await removalsOf(database.read, blob.address));
      await blob.publish();
    }
    try {
      return await work((writer) => requireStored(writer, removals));
    } catch (error) {
      if (!(error instanceof BeingRemoved)) throw error;
    }
    if (waitedMs >= removalWaitMs) {
      throw new Refusal("storage-unavailable", {
        detail: "A file with the same content is being removed: try again in a moment",
        headers: { "retry-after": "5" },
      });
    }
    onWait?.();
    await Bun.sleep(removalPollMs);
  }
}

async function requireStored(
  writer: Writer,
  removals: ReadonlyMap<StagedBlob, number>,
): Promise<void> {
  for (const [{ address }, before] of removals) {
    if (await isFileBeingRemoved(writer, address)) throw new BeingRemoved();
    // One that came in between took away what had just been published.
    if ((await removalsOf(writer, address)) !== before) throw new BeingRemoved();
  }
}
