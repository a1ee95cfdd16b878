import { Refusal } from "#contract/problems.ts";
import type { StagedBlob } from "./blob-store.ts";
import { isFileBeingRemoved } from "./reference-store.ts";
import { removalsOf } from "./removal-store.ts";
import type { Reader, Writer } from "../database/database.ts";

/** Longest wait for a removal of the same bytes; then the upload is refused. */
const removalWaitMs = 5_000;
const removalPollMs = 25;

/** Rolls the transaction back, because a removal takes the same bytes away, or just did. */
class BeingRemoved extends Error {}

/** Rolls back the transaction that calls it if one of the blobs is being removed. */
export type RequireStored = (writer: Writer) => Promise<void>;

/**
 * Publishes staged blobs for a transaction that references them. `accept` runs that transaction
 * and must call `requireStored` first; it runs again after a removal of the same bytes. 503 after
 * 5 s.
 */
export async function acceptBlobs<Result>(
  options: {
    readonly database: { readonly read: Reader };
    readonly staged: readonly StagedBlob[];
    /** Called before each wait, to start removals that are due. */
    readonly onWait?: () => void;
  },
  accept: (requireStored: RequireStored) => Promise<Result>,
): Promise<Result> {
  const { database, staged, onWait } = options;
  for (let waitedMs = 0; ; waitedMs += removalPollMs) {
    // The removal took the bytes away, so each attempt publishes again.
    const removals = new Map<StagedBlob, number>();
    for (const blob of staged) {
      removals.set(blob, await removalsOf(database.read, blob.address));
      await blob.publish();
    }
    try {
      return await accept((writer) => requireStored(writer, removals));
    } catch (error) {
      if (!(error instanceof BeingRemoved)) throw error;
    }
    if (waitedMs >= removalWaitMs) {
      throw new Refusal("storage-unavailable", {
        detail: "A file with the same content is being removed: try again in a few seconds",
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
    // A removal that ran in between took away the published bytes.
    if ((await removalsOf(writer, address)) !== before) throw new BeingRemoved();
  }
}
