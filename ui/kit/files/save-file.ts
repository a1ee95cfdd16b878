import { stat } from "node:fs/promises";
import { saveAtomically } from "#lib/atomic-write.ts";
import { systemErrorCode, writeErrorWords } from "#lib/system-error.ts";
import { failureOf, failureTexts, isAbort } from "../answers/failure.ts";
import type { WorkOutcome } from "../state/work.ts";

/** Where a file of the user's is written to. */
export interface SaveTarget {
  readonly path: string;
  /** Replacing the file of that name was asked for. */
  readonly mayReplace: boolean;
}

/** Somebody made a file of this name while ours was written. */
class FileAppeared extends Error {}

async function* unlessTaken(
  chunks: AsyncIterable<Uint8Array>,
  target: SaveTarget,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks;
  const isTaken = (await stat(target.path).catch(() => undefined)) !== undefined;
  if (isTaken && !target.mayReplace) throw new FileAppeared();
}

/** Writes a file that is there as a whole or not at all, and replaces only what it may. */
export function saveFile(target: SaveTarget, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  return saveAtomically(target.path, unlessTaken(chunks, target));
}

/** Why no file was written, as what came of the work. */
export function saveFailure(error: unknown, { path }: SaveTarget): WorkOutcome {
  if (isAbort(error)) return { good: true, lines: ["stopped; no file was written"] };
  if (error instanceof FileAppeared) {
    return {
      good: false,
      lines: [`${path} was made by somebody else meanwhile`, "It was left alone."],
    };
  }
  const [why, ...more] =
    systemErrorCode(error) === undefined
      ? failureTexts(failureOf(error))
      : [writeErrorWords(error)];
  return { good: false, lines: [`${path} was not written: ${why}`, ...more] };
}
