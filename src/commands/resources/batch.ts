import type { Client } from "#client/surface.ts";
import { CatalogError, catalogError, exitCodes } from "#contract/errors.ts";
import type { BatchAnswer, BatchResult } from "#contract/resources/batch.ts";
import type { CommandContext } from "../context.ts";
import { transportProof } from "./record.ts";

/** Items of one request: half of what a platform takes, so that none lasts long. */
const chunkItems = 500;
/** JSON of one request's items, below what a platform takes. */
const chunkBytes = 4 * 1024 * 1024;

export interface BatchRun<Item> {
  readonly context: CommandContext;
  readonly client: Client;
  readonly type: string;
  readonly items: readonly Item[];
  /** For the lines that people read, e.g. `Created`. */
  readonly done: string;
  readonly isAtomic: boolean;
  send(items: readonly Item[]): Promise<BatchAnswer>;
}

/** What was sent before a request failed; nothing of it is ever sent again. */
interface Interruption {
  readonly error: CatalogError;
  /** Items of the failed request: whether they were written is unknown unless it was refused. */
  readonly failedItems: number;
  readonly unsentItems: number;
}

/**
 * Sends a batch in requests one after the other, no item twice, and shows the outcome of each.
 * Returns the exit code: 1 when an item was not written. A request that fails after others have
 * succeeded ends the run with what is known so far, and `error`.
 */
export async function runBatch<Item>(run: BatchRun<Item>): Promise<number> {
  const { context, client, type, items, done, isAtomic } = run;
  const { output, signal } = context;
  const chunks = chunksOf(items);
  if (isAtomic && chunks.length > 1) {
    throw catalogError("E305", {
      details: `--atomic is for one request: at most ${chunkItems} items of together 4 MiB`,
    });
  }
  const results: BatchResult[] = [];
  let interruption: Interruption | undefined;
  for (const chunk of chunks) {
    if (signal.aborted && results.length > 0) {
      const left = items.length - results.length;
      await output.note(`${results.length} items were sent, and the other ${left} were not.`);
    }
    signal.throwIfAborted();
    await output.progress(`${done} ${results.length} of ${items.length} ${type}`);
    const offset = results.length;
    try {
      const answer = await run.send(chunk);
      results.push(...answer.results.map((one) => ({ ...one, index: offset + one.index })));
    } catch (error) {
      if (offset === 0) throw error;
      if (!(error instanceof CatalogError)) {
        // Interrupted: what follows says so, and this how far it came.
        await output.note(stopWords(offset, chunk.length));
        throw error;
      }
      const unsentItems = items.length - offset - chunk.length;
      interruption = { error, failedItems: chunk.length, unsentItems };
      break;
    } finally {
      await output.progress("");
    }
  }
  const failed = results.filter(isFailure).length;
  const succeeded = results.length - failed;
  const summary = {
    results,
    succeeded,
    failed,
    ...(interruption === undefined ? {} : interruptionFacts(interruption)),
    request: transportProof(client),
  };
  await output.data(summary, () => [
    `${done} ${succeeded} of ${items.length} ${type}`,
    ...failureLines(context, results),
  ]);
  if (interruption !== undefined) await noteInterruption(context, results.length, interruption);
  return failed === 0 && interruption === undefined ? exitCodes.done : exitCodes.failed;
}

function stopWords(known: number, unknown: number): string {
  return (
    `Items 0 to ${known - 1} were sent; whether the next ${unknown} were written is unknown: ` +
    "look before you send them again."
  );
}

function chunksOf<Item>(items: readonly Item[]): Item[][] {
  const chunks: Item[][] = [];
  let chunk: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    // A UTF-16 unit is at most three bytes of UTF-8.
    const size = JSON.stringify(item).length * 3;
    if (chunk.length === chunkItems || (chunk.length > 0 && bytes + size > chunkBytes)) {
      chunks.push(chunk);
      chunk = [];
      bytes = 0;
    }
    chunk.push(item);
    bytes += size;
  }
  if (chunk.length > 0) chunks.push(chunk);
  return chunks;
}

function isFailure({ status }: BatchResult): boolean {
  return status >= 300;
}

function interruptionFacts({ error, failedItems, unsentItems }: Interruption): object {
  const { code, message, suggestion, status } = error;
  return { error: { code, message, suggestion, status }, failedItems, unsentItems };
}

function failureLines({ output }: CommandContext, results: readonly BatchResult[]): string[] {
  const failures = results.filter(isFailure);
  if (failures.length === 0) return [];
  return output.table(failures, [
    { heading: "item", value: (row) => row.index, align: "right", whole: true },
    { heading: "id", value: (row) => row.id, whole: true, optional: true },
    { heading: "status", value: (row) => row.status, align: "right", whole: true },
    { heading: "why", value: whyText },
  ]);
}

function whyText({ error }: BatchResult): string {
  const faults = error?.errors ?? [];
  if (faults.length === 0) return error?.detail ?? error?.title ?? "";
  return faults.map(({ pointer, detail }) => `${pointer} ${detail}`).join("; ");
}

async function noteInterruption(
  { output }: CommandContext,
  known: number,
  { error, failedItems, unsentItems }: Interruption,
): Promise<void> {
  const last = known + failedItems - 1;
  const outcome =
    error.status !== undefined && error.status < 500
      ? "were refused"
      : "were sent and their outcome is unknown: look before you send them again";
  await output.note(
    `Error ${error.code}: ${output.plain(error.message)}\n` +
      `Items ${known} to ${last} ${outcome}. ${unsentItems} more were not sent.`,
  );
}
