import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { StoredContent } from "#client/surface/content.ts";
import { catalogError } from "#contract/errors.ts";
import { saveAtomically } from "#lib/atomic-write.ts";
import { savedName } from "#lib/saved-name.ts";
import { systemErrorCode, writeErrorWords } from "#lib/system-error.ts";
import type { CommandContext } from "./context.ts";
import { fileProgress } from "./local-file.ts";

/** Whatever the user's own mask leaves of it. */
const fileMode = 0o666;

/**
 * Saves content under a path, or under its own name, made safe, in a folder. The file appears when
 * all bytes have come and fit their digest. The path that the user named is replaced where it is a
 * file; a name that the platform sent replaces nothing. E205, E305.
 */
export async function saveContent(
  context: CommandContext,
  content: StoredContent,
  target: string,
): Promise<{ output: string; size: number }> {
  let written = false;
  try {
    const path = await placeOf(context.resolvePath(target), target, content);
    const progress = fileProgress(context, `Saving ${target}`);
    const chunks = counted(content.chunks(), (bytes) => progress(bytes, content.size));
    const size = await saveAtomically(path, chunks, { mode: fileMode });
    written = true;
    return { output: path, size };
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    const details = `${target} can't be written: ${writeErrorWords(error)}`;
    throw catalogError("E305", { details }, { cause: error });
  } finally {
    // What was not read is of no use to anybody.
    if (!written) await content.response.body?.cancel().catch(() => undefined);
  }
}

async function placeOf(path: string, named: string, content: StoredContent): Promise<string> {
  const facts = await Bun.file(path)
    .stat()
    .catch(() => undefined);
  if (facts?.isDirectory() === true) {
    const inside = join(path, savedName(content.filename ?? "", "file"));
    const isTaken = await lstat(inside).then(
      () => true,
      () => false,
    );
    if (!isTaken) return inside;
    throw catalogError(
      "E205",
      { details: `${inside} exists already` },
      { hint: "Name the file itself with --output to replace it" },
    );
  }
  // `plans/` means a folder: a file of that name would be a surprise.
  if (facts === undefined && /[/\\]$/.test(named)) {
    throw catalogError("E305", { details: `the folder ${named} does not exist` });
  }
  if (facts !== undefined && !facts.isFile()) {
    throw catalogError("E305", { details: `${named} is not a file` });
  }
  return path;
}

async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    yield chunk;
    onBytes(bytes);
  }
}
