import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { inputError } from "#cli/errors.ts";
import type { StoredContent } from "#client/files/content.ts";
import { catalogError } from "#contract/errors.ts";
import { saveAtomically } from "#lib/files/atomic-write.ts";
import { savedName } from "#lib/files/saved-name.ts";
import { systemErrorCode, writeErrorWords } from "#lib/system-error.ts";
import type { CommandContext } from "../context.ts";
import { fileProgress } from "../input/files.ts";

/**
 * Saves content to a file, or into a folder under its stored name, made safe. The file appears
 * once all bytes have arrived and match their digest. It replaces a file that the user named, but
 * never one that the platform named, and only when an incomplete download can be detected. Throws
 * E203, E205 or E305.
 */
export async function saveContent(
  context: CommandContext,
  content: StoredContent,
  target: string,
): Promise<{ output: string; size: number }> {
  let written = false;
  try {
    const path = await placeOf(context.resolvePath(target), target, content);
    checkForeignPage(content, path);
    const progress = fileProgress(context, `Saving ${target}`);
    const chunks = counted(content.chunks(), (bytes) => progress(bytes, content.size));
    // The umask reduces the mode.
    const size = await saveAtomically(path, chunks, { mode: 0o666 });
    written = true;
    return { output: path, size };
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    const details = `${target} can't be written: ${writeErrorWords(error)}`;
    throw catalogError("E305", { details }, { cause: error });
  } finally {
    // Cancels the rest of the download.
    if (!written) await content.response.body?.cancel().catch(() => undefined);
  }
}

async function placeOf(path: string, named: string, content: StoredContent): Promise<string> {
  const facts = await Bun.file(path)
    .stat()
    .catch(() => undefined);
  if (facts?.isDirectory() === true) {
    const inside = join(path, savedName(content.filename ?? "", "file"));
    const taken = await lstat(inside).catch(() => undefined);
    if (taken === undefined) return inside;
    const hint = "Name the file itself with --output to replace it";
    throw catalogError("E205", { details: `${inside} exists already` }, { hint });
  }
  // A separator at the end names a folder.
  if (facts === undefined && /[/\\]$/.test(named)) {
    throw inputError(`the folder ${named} does not exist`);
  }
  if (facts !== undefined && !facts.isFile()) throw inputError(`${named} is not a file`);
  if (facts !== undefined && !content.showsItsEnd) {
    throw catalogError(
      "E203",
      { details: `${unshownEnd}; ${named} was not replaced` },
      { hint: "Name a new file with --output, and check its size" },
    );
  }
  return path;
}

/** A response without length, digest and chunks also looks whole when it breaks off. */
export const unshownEnd = "the platform sent neither the length nor a digest of the file";

/** Throws E203 for the page of a captive portal, which would be saved as the file. */
function checkForeignPage({ response, filename, sha256 }: StoredContent, path: string): void {
  const { headers } = response;
  const isPage = /^(?:text\/html|application\/xhtml)/i.test(headers.get("content-type") ?? "");
  const isStored = filename !== undefined || sha256 !== undefined || headers.has("etag");
  if (!isPage || isStored || /\.x?html?$/i.test(path)) return;
  throw catalogError("E203", {
    details: "the response is a web page, which is not the requested file",
  });
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
