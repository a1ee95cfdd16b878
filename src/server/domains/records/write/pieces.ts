import { maximumPatternSteps } from "#contract/object-types/record-run.ts";
import type { Batch, BatchAnswer, BatchResult } from "#contract/resources/batch.ts";
import { Permits } from "../../../kit/turns/permits.ts";
import { hasOtherRequests, TickShare } from "../../../kit/turns/tick-share.ts";
import type { Facts, Work } from "../../../work/work.ts";
import { problemOf } from "../../storage-problems.ts";
import { answerOf, Outcomes, type Piece, type WriteRequest } from "./outcomes.ts";

/** The items of a piece, and the characters in them. */
interface PieceSize {
  readonly items: number;
  readonly characters: number;
}

/** A piece takes some milliseconds on each engine, for which other workspaces wait. */
const smallPiece: PieceSize = { items: 50, characters: 32 * 1024 };
/** Fewer transactions write fewer pages: a piece that no other workspace waits for is larger. */
const largePiece: PieceSize = { items: 200, characters: 128 * 1024 };

interface BatchWrite<Item> {
  readonly work: Pick<Work, "scope" | "continued">;
  readonly workspaceId: string;
  readonly batch: Batch<Item>;
  /** The caller knows which pieces are stored: a failure of a later one fails the request. */
  readonly isResumable?: boolean;
}

/** Called in the transaction of a piece, to keep its answer. */
type Remember = (answer: BatchAnswer, facts: Facts) => void;

/**
 * Writes large batches in pieces, each in its own transaction, those of workspaces in turn. An
 * atomic batch is one piece. Each piece keeps the outcomes so far under the request's key, so that
 * a repeat continues where the request was.
 */
export class BatchPieces {
  readonly #turns = new Permits({
    count: 8,
    // Pieces are checked while those before are made durable, and share transactions on SQLite.
    countPerShare: 4,
    queueLimit: 2_000,
    queueLimitPerShare: 500,
    waitLimitMs: 10_000,
  });

  async run<Item extends object>(
    { work, workspaceId, batch, isResumable = false }: BatchWrite<Item>,
    write: (piece: WriteRequest<Item>, remember?: Remember) => Promise<BatchAnswer>,
    remember?: Remember,
  ): Promise<BatchAnswer> {
    const { items } = batch;
    const inTurn = async (
      pieceOf: () => WriteRequest<Item>,
      keep?: Remember,
    ): Promise<BatchAnswer> => {
      const end = await this.#turns.take(workspaceId, undefined, work.scope.caller);
      try {
        await new TickShare(workspaceId).begin();
        return await write(pieceOf(), keep);
      } finally {
        end();
      }
    };
    if (items.length === 1) return write(batch, remember);
    const isWhole = batch.isAtomic || countOf(items, 0, smallPiece) === items.length;
    if (isWhole) return inTurn(() => batch, remember);
    const kept = work.continued();
    // Only this function keeps them.
    const results = [...((kept ?? []) as readonly BatchResult[])];
    const earlier = new Set<string>();
    noteRecords(earlier, items.slice(0, results.length), results);
    let steps = maximumPatternSteps;
    while (results.length < items.length) {
      const piece = { first: results.length, earlier, steps, stepsLeft: steps };
      let request: WriteRequest<Item> = batch;
      const pieceOf = (): WriteRequest<Item> => {
        const most = hasOtherRequests(workspaceId) ? smallPiece : largePiece;
        return (request = requestOf(batch, piece, most));
      };
      try {
        const keep: Remember = (answer, facts) =>
          facts.rememberPart([...results, ...answer.results]);
        const answer = await inTurn(pieceOf, keep);
        results.push(...answer.results);
        noteRecords(earlier, request.items, answer.results);
      } catch (error) {
        // Nothing was written, or a repeat with the key continues here.
        if (piece.first === 0 || kept !== undefined || isResumable) throw error;
        return answerOf([...results, ...refusedRest(batch, piece, error)]);
      }
      steps = piece.stepsLeft;
    }
    return answerOf(results);
  }
}

/** The number of items in the piece that begins at `first`. */
function countOf(items: readonly unknown[], first: number, most: PieceSize): number {
  let characters = 0;
  let count = 0;
  for (const item of items.slice(first, first + most.items)) {
    characters += charactersIn(item);
    if (count > 0 && characters > most.characters) break;
    count += 1;
  }
  return count;
}

/** Roughly the length of a value's JSON text. */
function charactersIn(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 8;
  let sum = 8;
  for (const [name, member] of Object.entries(value)) sum += name.length + charactersIn(member);
  return sum;
}

function requestOf<Item>(batch: Batch<Item>, piece: Piece, most: PieceSize): WriteRequest<Item> {
  const { first } = piece;
  const items = batch.items.slice(first, first + countOf(batch.items, first, most));
  return { ...batch, items, placeOf: (index) => batch.placeOf(first + index), piece };
}

function noteRecords(
  named: Set<string>,
  items: readonly object[],
  results: readonly BatchResult[],
): void {
  for (const item of items) {
    const name = nameOf(item);
    if (name !== undefined) named.add(name);
  }
  for (const { id, error } of results) {
    if (id !== undefined && error === undefined) named.add(id);
  }
}

/** The text by which an item names its record: the id, or the value of a unique property. */
export function nameOf(item: object): string | undefined {
  if ("id" in item && typeof item.id === "string") return item.id;
  if (!("property" in item && "value" in item && "op" in item)) return undefined;
  return JSON.stringify([item.property, String(item.value)]);
}

/** The outcomes of items that are not written after a failure; the pieces before are stored. */
function refusedRest<Item extends object>(
  batch: Batch<Item>,
  piece: Piece,
  error: unknown,
): readonly BatchResult[] {
  const items = batch.items.slice(piece.first);
  const outcomes = new Outcomes({ ...batch, items, piece }, 0);
  const refusal = problemOf(error, new AbortController().signal);
  for (const index of items.keys()) outcomes.refuse(index, refusal);
  return outcomes.answer().results;
}
