import { Shown, shown } from "#cli/shown.ts";
import { inputError } from "#cli/errors.ts";
import { asCatalogError } from "#cli/failure.ts";
import { OutputClosed, OutputFailed } from "#cli/output/output.ts";
import type { Client } from "#client/surface.ts";
import { CatalogError, exitCodes } from "#contract/errors.ts";
import type { BatchAnswer } from "#contract/resources/batch.ts";
import { given } from "#lib/given.ts";
import type { CommandContext } from "../../kit/context.ts";
import { chosenFields } from "../../kit/output/rows.ts";
import { transportProof } from "../records/record.ts";
import { chunkItems, chunksOf, type ItemStream } from "./items.ts";
import { outcomeFields, outcomeOf, Outcomes } from "./outcomes.ts";

export interface BatchRun<Item> {
  readonly context: CommandContext;
  readonly workspace: string | undefined;
  readonly type: string;
  readonly items: ItemStream<Item>;
  /** True if the items can be read twice: once to check them all, then to send them. */
  readonly isReplayable: boolean;
  readonly rowOf?: (item: Item) => number | undefined;
  readonly columns: string | undefined;
  /** The verb of the summary, e.g. `Created`. */
  readonly done: string;
  readonly isAtomic: boolean;
  send(client: Client, items: readonly Item[]): Promise<BatchAnswer>;
}

/** Checks and counts the items; undefined if they can be read only once. */
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
  return inputError("there are no items");
}

/** The requests of a batch. With `isAtomic`, E305 before the first one if there are more. */
async function* requestsOf<Item>(
  items: ItemStream<Item>,
  isAtomic: boolean,
): AsyncGenerator<readonly Item[]> {
  const chunks = chunksOf(items);
  const first = await chunks.next();
  if (first.done === true) throw noItems();
  if (isAtomic && (await chunks.next()).done !== true) {
    throw inputError(`--atomic needs one request: at most ${chunkItems} items and 4 MiB`);
  }
  yield first.value;
  yield* chunks;
}

interface Interruption {
  readonly error: CatalogError;
  /** Items of the failed request. Unless it was refused, their outcome is unknown. */
  readonly failedItems: number;
  /** Undefined if the total is unknown. */
  readonly unsentItems: number | undefined;
}

/** Items that were sent with known outcomes, and items of the request without an answer. */
interface Progress {
  sent: number;
  sending: number;
}

/**
 * Sends a batch in requests one after the other, in the memory of one request. No item is sent
 * twice. Returns exit code 1 when an item failed. A failure after the first successful request
 * ends the run with the known outcomes and `error`.
 */
export async function runBatch<Item>(run: BatchRun<Item>): Promise<number> {
  const { context, type, done } = run;
  const { output, signal } = context;
  const outcomes = new Outcomes(output, chosenFields(run.columns, outcomeFields));
  const total = await countItems(context, run.items, run.isReplayable);
  const client = await context.client({ workspace: run.workspace });
  const progress: Progress = { sent: 0, sending: 0 };
  let interruption: Interruption | undefined;
  try {
    await sendAll(run, client, outcomes, progress, total);
  } catch (error) {
    const { sent, sending } = progress;
    const isInterrupted = signal.aborted && !isOutputError(error);
    // Before the first answer there is nothing to report except the error itself.
    const hasReport = sent > 0 || (isInterrupted && sending > 0);
    if (!hasReport && !(error instanceof OutputClosed)) throw error;
    const unsentItems = total === undefined ? undefined : total - sent - sending;
    const reason = isInterrupted ? asCatalogError(error, true) : error;
    if (reason instanceof CatalogError) {
      interruption = { error: reason, failedItems: sending, unsentItems };
    } else {
      await output.note(shown`${stopWords(sent, sending, unsentItems)}`);
      // In other commands a closed stdout is a quiet end; here some items were not sent.
      if (error instanceof OutputClosed && (unsentItems ?? 1) > 0) return exitCodes.failed;
      throw error;
    }
  }
  const { succeeded, failed } = outcomes;
  const isWhole = failed === 0 && interruption === undefined;
  const exitCode = signal.aborted
    ? exitCodes.interrupted
    : isWhole
      ? exitCodes.done
      : exitCodes.failed;
  const headline = shown`${done} ${succeeded} of ${total ?? progress.sent} ${type}`;
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
    await output.note(interruptionWords(progress.sent, interruption, signal.aborted));
  }
  return exitCode;
}

async function sendAll<Item>(
  { context: { output, signal }, done, isAtomic, items, rowOf, send, type }: BatchRun<Item>,
  client: Client,
  outcomes: Outcomes,
  progress: Progress,
  total: number | undefined,
): Promise<void> {
  const ofTotal = total === undefined ? "" : ` of ${total}`;
  for await (const chunk of requestsOf(items, isAtomic)) {
    signal.throwIfAborted();
    const sentBefore = progress.sent;
    await output.progress(`${done} ${sentBefore}${ofTotal} ${type}`);
    progress.sending = chunk.length;
    const { results } = await send(client, chunk);
    progress.sent += chunk.length;
    progress.sending = 0;
    const rowAt = (index: number): number | undefined => {
      const item = chunk[index];
      return item === undefined ? undefined : rowOf?.(item);
    };
    await outcomes.add(results.map((one) => outcomeOf(one, sentBefore, rowAt(one.index))));
  }
}

function isOutputError(error: unknown): boolean {
  return error instanceof OutputClosed || error instanceof OutputFailed;
}

const unknownFate = "were sent and their outcome is unknown: check before you send them again";

/** The fate of the items of a failed request, as the rest of a sentence. */
function fateOf({ code, status = 0 }: CatalogError): string {
  // The platform writes nothing when the sign-in is invalid.
  if (/^E10\d$/.test(code)) return "were not written";
  return status >= 300 && status < 500 ? "were refused" : unknownFate;
}

function itemWords(from: number, count: number, fate: string): string {
  return count === 0 ? "" : `Items ${from} to ${from + count - 1} ${fate}. `;
}

function unsentWords(unsent: number | undefined): string {
  if (unsent === 0) return "";
  return unsent === undefined ? "The rest was not sent." : `${unsent} more were not sent.`;
}

/** The report for a caller who gets no outcomes on stdout. */
function stopWords(known: number, unknown: number, unsent: number | undefined): string {
  const sent = itemWords(0, known, "were sent");
  return (sent + itemWords(known, unknown, unknownFate) + unsentWords(unsent)).trimEnd();
}

function interruptionFacts(
  { error, failedItems, unsentItems }: Interruption,
  exitCode: number,
): object {
  const { code, message, suggestion, status, hint } = error;
  const unsent = given({ unsentItems });
  return { error: { code, message, suggestion, exitCode, status, hint }, failedItems, ...unsent };
}

function interruptionWords(
  known: number,
  { error, failedItems, unsentItems }: Interruption,
  isInterrupted: boolean,
): Shown {
  const { code, message, hint } = error;
  const why = isInterrupted
    ? ["Interrupted."]
    : [`Error ${code}: ${message}`, ...(hint === undefined ? [] : [`  ${hint}`])];
  const fate = itemWords(known, failedItems, fateOf(error)) + unsentWords(unsentItems);
  const lines = [...why, fate.trimEnd()].filter((line) => line !== "");
  return Shown.joined(lines, "\n");
}
