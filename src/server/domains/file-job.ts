import { acceptBlobs } from "../files/accept-blobs.ts";
import type { StagedBlob } from "../files/blob-store.ts";
import type { Transaction, Work } from "../work/work.ts";
import type { PlatformBase } from "./base.ts";

/** A file for a job, as a request sends it. */
export interface SentFile {
  readonly content: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
}

/**
 * Stores a file and, in one transaction with the reference to it, the job that reads it. `store`
 * may run again, and `wake` is called once the job exists. Throws 413 above `limitBytes` and 507
 * without space; the file is then removed.
 */
export async function startFileJob<Answer>(
  { blobs, removals }: Pick<PlatformBase, "blobs" | "removals">,
  {
    work,
    workspaceId,
    file: { content, signal },
    limitBytes,
    store,
    wake,
  }: {
    readonly work: Work;
    readonly workspaceId: string;
    readonly file: SentFile;
    readonly limitBytes: number;
    readonly store: (tx: Transaction, staged: StagedBlob) => Promise<Answer>;
    readonly wake: () => void;
  },
): Promise<Answer> {
  const staged = await blobs.stage(workspaceId, content, { limitBytes, signal });
  try {
    const uses = { database: work, staged: [staged], onWait: () => removals.wake() };
    const started = await acceptBlobs(uses, (requireStored) =>
      work.write(async (tx) => {
        await requireStored(tx);
        return store(tx, staged);
      }),
    );
    await staged.discard();
    wake();
    return started;
  } catch (error) {
    await removals.takeBack([staged]);
    throw error;
  }
}
