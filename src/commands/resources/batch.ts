import { asCatalogError } from "#cli/failure.ts";
import { OutputClosed, OutputFailed, type Output } from "#cli/output.ts";
import type { Client } from "#client/surface.ts";
import { CatalogError, catalogError, exitCodes } from "#contract/errors.ts";
import type { BatchAnswer } from "#contract/resources/batch.ts";
import { tenantOption } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { chosenFields, columnsOption } from "../rows.ts";
import { chunkItems, chunksOf, type ItemStream } from "./batch-items.ts";
import { outcomeFields, outcomeOf, Outcomes } from "./batch-outcomes.ts";
import { transportProof } from "./record.ts";

/** The options of every batch command. */
export const batchOptions = {
  "tenant-id": tenantOption,
  data: {
    type: "string",
    placeholder: "json",
    description:
      "The items as a list, `{ items }`, one a line (NDJSON) or one alone; `-` reads stdin, " +
      "`@path` a file",
    excludes: ["file"],
  },
  file: {
    type: "string",
    placeholder: "path",
    description: "File with the items, of any length; `-` reads stdin",
  },
  atomic: {
    type: "boolean",
    description: "All of the items or none; at most 500 of them",
  },
  columns: columnsOption,
} as const;

/** What the help says of CSV as input. */
export const csvWords =
  "A CSV has a first row of property names, as `resources list --format csv` writes it; types come " +
  'from the Object Type, lists and objects are JSON, an empty cell is no value, and `""` an empty ' +
  "text.";

/** What the help of every batch command says of its requests. */
export const batchWords =
  "They are sent 500 at a time, each has an outcome of its own, and the exit code is 1 when one " +
  "failed. A file is checked as a whole before anything is sent. No item that may have been taken " +
  "in is sent again: where a request fails, the run ends there and says which items were sent. With --format ndjson or csv " +
  "each outcome is a line, as it comes; JSON has every outcome of 10,000 items, of more those that " +
  "failed. Items count from 0; of a CSV each outcome has its row, as a spreadsheet counts.";

export interface BatchRun<Item> {
  readonly context: CommandContext;
  readonly workspace: string | undefined;
  readonly type: string;
  readonly items: ItemStream<Item>;
  /** Whether the items can be read twice: once to check them all, then to send them. */
  readonly isReplayable: boolean;
  /** The row of an item in a CSV. */
  readonly rowOf?: (item: Item) => number | undefined;
  readonly columns: string | undefined;
  /** For the lines that people read, e.g. `Created`. */
  readonly done: string;
  readonly isAtomic: boolean;
  send(client: Client, items: readonly Item[]): Promise<BatchAnswer>;
}

/** Counts the items, each checked; undefined where they can be read only once. */
async function countItems<Item>(
  { output }: CommandContext,
  items: ItemStream<Item>,
  isReplayable: boolean,
): Promise<number | undefined> {
  if (!isReplayable) return undefined;
  let count = 0;
  for await (const some of items()) {
    count += some.length;
    await output.progress(`Checked ${count}`);
  }
  if (count === 0) throw noItems();
  return count;
}

function noItems(): CatalogError {
  return catalogError("E305", { details: "there are no items" });
}

/** The requests of a batch; with `isAtomic` there is only one, or E305 before it is sent. */
async function* requestsOf<Item>(
  items: ItemStream<Item>,
  isAtomic: boolean,
): AsyncGenerator<readonly Item[]> {
  const chunks = chunksOf(items);
  const first = await chunks.next();
  if (first.done === true) throw noItems();
  if (isAtomic) {
    const second = await chunks.next();
    if (second.done !== true) {
      throw catalogError("E305", {
        details: `--atomic is for one request: at most ${chunkItems} items of together 4 MiB`,
      });
    }
  }
  yield first.value;
  yield* chunks;
}

/** How a run came to its end before all was sent; nothing of it is ever sent again. */
interface Interruption {
  readonly error: CatalogError;
  /** Items of the failed request: whether they were written is unknown unless it was refused. */
  readonly failedItems: number;
  /** Undefined where nobody knows how many there would have been. */
  readonly unsentItems: number | undefined;
}

/**
 * Sends a batch in requests one after the other, no item twice, in the memory of one request. The
 * exit code is 1 when an item was not written. A request that fails after others have succeeded
 * ends the run with what is known so far, and `error`.
 */
export async function runBatch<Item>(run: BatchRun<Item>): Promise<number> {
  const { context, type, done, isAtomic } = run;
  const { output, signal } = context;
  const outcomes = new Outcomes(output, chosenFields(run.columns, outcomeFields));
  const total = await countItems(context, run.items, run.isReplayable);
  const client = await context.client({ workspace: run.workspace });
  const ofTotal = total === undefined ? "" : ` of ${total}`;
  let sent = 0;
  let sending = 0;
  let interruption: Interruption | undefined;
  try {
    for await (const chunk of requestsOf(run.items, isAtomic)) {
      signal.throwIfAborted();
      await output.progress(`${done} ${sent}${ofTotal} ${type}`);
      sending = chunk.length;
      const { results } = await run.send(client, chunk);
      const sentBefore = sent;
      sent += sending;
      sending = 0;
      const rowAt = (index: number): number | undefined => {
        const item = chunk[index];
        return item === undefined ? undefined : run.rowOf?.(item);
      };
      await outcomes.add(results.map((one) => outcomeOf(one, sentBefore, rowAt(one.index))));
    }
  } catch (error) {
    const isInterrupted = signal.aborted && !isOutputError(error);
    // Before the first answer nothing is known: what follows says what went wrong.
    const isUnsaid = sent > 0 || (isInterrupted && sending > 0);
    if (!isUnsaid && !(error instanceof OutputClosed)) throw error;
    const unsentItems = total === undefined ? undefined : total - sent - sending;
    if (isInterrupted) {
      // What has come so far is told, as after any other failure.
      interruption = { error: asCatalogError(error, true), failedItems: sending, unsentItems };
    } else if (error instanceof CatalogError) {
      interruption = { error, failedItems: sending, unsentItems };
    } else {
      await output.note(stopWords(sent, sending, unsentItems));
      // A reader that is gone ends other commands quietly; here not everything was done.
      if (error instanceof OutputClosed && (unsentItems ?? 1) > 0) return exitCodes.failed;
      throw error;
    }
  }
  const { succeeded, failed } = outcomes;
  const isWhole = failed === 0 && interruption === undefined;
  const exitCode = signal.aborted
    ? (context.environment.stopExitCode?.() ?? exitCodes.interrupted)
    : isWhole
      ? exitCodes.done
      : exitCodes.failed;
  const headline = `${done} ${succeeded} of ${total ?? sent} ${type}`;
  if (outcomes.isStream) await output.note(headline);
  else {
    const summary = {
      ...outcomes.facts(),
      ...(interruption === undefined ? {} : interruptionFacts(interruption, exitCode)),
      request: transportProof(client),
    };
    await output.data(summary, () => [headline, ...outcomes.failureLines()]);
  }
  if (interruption !== undefined) {
    await output.note(interruptionWords(output, sent, interruption, signal.aborted));
  }
  return exitCode;
}

/** stdout takes no more, which is told where it is known. */
function isOutputError(error: unknown): boolean {
  return error instanceof OutputClosed || error instanceof OutputFailed;
}

/** What became of the items that were on their way, as the rest of a sentence. */
function fateOf({ code, status = 0 }: CatalogError): string {
  // Without a good sign-in nothing is taken in, whether it was sent or not.
  if (/^E10\d$/.test(code)) return "were not written";
  return status >= 300 && status < 500 ? "were refused" : unknownFate;
}

const unknownFate = "were sent and their outcome is unknown: look before you send them again";

/** So many items from a place on, and what is said of them. */
function itemWords(from: number, count: number, words: string): string {
  return count === 0 ? "" : `Items ${from} to ${from + count - 1} ${words}. `;
}

function unsentWords(unsent: number | undefined): string {
  if (unsent === 0) return "";
  return `${unsent === undefined ? "What follows was" : `${unsent} more were`} not sent.`;
}

/** For whoever has no outcomes on stdout. */
function stopWords(known: number, unknown: number, unsent: number | undefined): string {
  const sent = itemWords(0, known, "were sent");
  return (sent + itemWords(known, unknown, unknownFate) + unsentWords(unsent)).trimEnd();
}

function interruptionFacts(
  { error, failedItems, unsentItems }: Interruption,
  exitCode: number,
): object {
  const { code, message, suggestion, status, hint } = error;
  const unsent = unsentItems === undefined ? {} : { unsentItems };
  return { error: { code, message, suggestion, exitCode, status, hint }, failedItems, ...unsent };
}

function interruptionWords(
  output: Output,
  known: number,
  { error, failedItems, unsentItems }: Interruption,
  isInterrupted: boolean,
): string {
  const { code, message, hint } = error;
  const why = isInterrupted
    ? ["Interrupted."]
    : [`Error ${code}: ${output.plain(message)}`, ...(hint === undefined ? [] : [`  ${hint}`])];
  const fate = itemWords(known, failedItems, fateOf(error)) + unsentWords(unsentItems);
  return [...why, fate.trimEnd()].filter((line) => line !== "").join("\n");
}
