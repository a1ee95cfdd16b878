import { stat } from "node:fs/promises";
import { saveAtomically } from "#lib/files/atomic-write.ts";
import { systemErrorCode, writeErrorWords } from "#lib/system-error.ts";
import { failureOf, failureTexts, isAbort } from "../answers/failure.ts";
import type { WorkOutcome } from "../state/work.ts";

export interface SaveTarget {
  readonly path: string;
  /** The user agreed to replace the file of that name. */
  readonly mayReplace: boolean;
}

/** Another program created a file of this name during the write. */
class FileAppeared extends Error {}

async function* unlessTaken(
  chunks: AsyncIterable<Uint8Array>,
  target: SaveTarget,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks;
  const exists = (await stat(target.path).catch(() => undefined)) !== undefined;
  if (exists && !target.mayReplace) throw new FileAppeared();
}

/** Writes a file completely or not at all; returns its size in bytes. */
export function saveFile(target: SaveTarget, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  return saveAtomically(target.path, unlessTaken(chunks, target));
}

export function saveFailure(error: unknown, { path }: SaveTarget): WorkOutcome {
  if (isAbort(error)) return { good: true, lines: ["stopped; no file was written"] };
  if (error instanceof FileAppeared) {
    const lines = [`${path} was created by another program meanwhile`, "It was not replaced."];
    return { good: false, lines };
  }
  const [why, ...more] =
    systemErrorCode(error) === undefined
      ? failureTexts(failureOf(error))
      : [writeErrorWords(error)];
  return { good: false, lines: [`${path} was not written: ${why}`, ...more] };
}
