import { catalogError } from "#contract/errors.ts";
import type { BatchAnswer } from "#contract/resources/batch.ts";
import { counted } from "#lib/text/counted.ts";
import { membersOf, parsedJson } from "#lib/json/value.ts";
import { isUnstated } from "./other-answers.ts";
import { unknownWords } from "../transport/unreachable.ts";

/** A success that reports only the number of items, or nothing. */
function settled(answer: BatchAnswer, count: number): BatchAnswer {
  const { succeeded } = answer;
  if (succeeded !== count && !isUnstated(answer)) {
    const details = `the response reports ${succeeded} of ${counted(count, "item")}`;
    throw catalogError("E203", { details }, { status: 200, hint: unknownWords });
  }
  const results = Array.from({ length: count }, (_none, index) => ({ index, status: 200 }));
  return { ...answer, results, succeeded: count };
}

/** True if the response itself has a list; as JSON an answer is what was sent. */
function listsItems(answer: BatchAnswer): boolean {
  return membersOf(parsedJson(JSON.stringify(answer)))?.has("results") === true;
}

/** The response to a batch. Throws E203 unless it has one outcome for each item. */
export function withEach(answer: BatchAnswer, count: number): BatchAnswer {
  const { results, failed } = answer;
  if (results.length === 0 && failed === 0 && !(answer.succeeded > 0 && listsItems(answer))) {
    return settled(answer, count);
  }
  const indexes = new Set(answer.results.map(({ index }) => index));
  const missing = Array.from({ length: count }, (_none, index) => index).find(
    (index) => !indexes.has(index),
  );
  if (missing === undefined && answer.results.length === count) return answer;
  const details =
    missing === undefined
      ? `the response has ${answer.results.length} outcomes of ${count} items`
      : `the response has no outcome of item ${missing}, of ${counted(count, "item")}`;
  throw catalogError("E203", { details }, { status: 200, hint: unknownWords });
}
