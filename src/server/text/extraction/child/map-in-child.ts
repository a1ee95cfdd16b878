import { ExtractionError } from "../extraction-error.ts";
import type { ChildLine } from "./child-lines.ts";
import { mappingWord } from "./run-mapping.ts";
import { WatchedChild } from "./watched-child.ts";

/** The time of a program, which begins once the child has read its input. */
const programMs = 1_000;
/** A loaded machine gives it that time later. */
const longestMs = 10_000;
const startMs = 30_000;
/** Memory of the child's runtime; the program has 64 MiB of it, which the child itself limits. */
const memoryBytes = 384 * 1024 * 1024;

/** A mapping that failed; the message is for the workspace's admins. */
export class MappingError extends Error {
  override readonly name = "MappingError";
}

/**
 * The results of a jq program over an input, run in a child process with 1 s, 64 MiB and 1 MiB of
 * output. `path` is the file that has both. Throws MappingError, or the signal's reason.
 */
export async function mapInChild(
  command: readonly string[],
  path: string,
  signal: AbortSignal,
): Promise<unknown[]> {
  signal.throwIfAborted();
  const child = new WatchedChild([...command, mappingWord, path], { cpuMs: startMs });
  let output: string | undefined;
  const onLine = (line: ChildLine): void => {
    if (line.type === "page") output = line.text;
    if (line.type === "error") throw new ExtractionError("corrupt", line.message);
  };
  try {
    const limits = { memoryBytes, signal };
    const isReady = (line: ChildLine): boolean => line.type === "progress";
    await child.read({ ...limits, timeoutMs: startMs }, onLine, isReady);
    await child.read({ ...limits, timeoutMs: programMs, longestMs }, onLine);
  } catch (error) {
    throw signal.aborted ? signal.reason : mappingError(error);
  } finally {
    await child.kill();
  }
  if (output === undefined) throw new MappingError("The mapping did not end");
  // The child writes an array.
  return JSON.parse(output) as unknown[];
}

function mappingError(error: unknown): unknown {
  if (!(error instanceof ExtractionError)) return error;
  switch (error.code) {
    case "timed-out":
      return new MappingError(`The mapping took longer than ${programMs} ms`);
    case "out-of-memory":
    case "crashed":
      return new MappingError("The mapping took more memory than 64 MiB");
    default:
      return new MappingError(error.message);
  }
}
