import type { Client } from "#client/surface.ts";
import type { UploadJournal } from "#local/configuration/upload-journal.ts";

/** One run of `docs upload` or `docs classify` with several files. */
export interface Run {
  readonly client: Client;
  readonly verb: "upload" | "classify";
  readonly metadata: Readonly<Record<string, string>>;
  readonly journal: UploadJournal;
}

/** Runs `work` on each item, at most `limit` at the same time; the first failure ends it. */
export async function inParallel<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  let hasFailed = false;
  const worker = async (): Promise<void> => {
    for (const item of rest) {
      if (hasFailed) return;
      try {
        await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const workers = Array.from({ length: Math.min(limit, items.length) }, worker);
  const [failure] = (await Promise.allSettled(workers)).filter(
    ({ status }) => status === "rejected",
  );
  if (failure?.status === "rejected") throw failure.reason;
}
