import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { editFolderPrefix, removeAbandonedFolders } from "#lib/files/abandoned-folders.ts";

/** The user's editor command: VISUAL, else EDITOR; `undefined` if neither is set. */
export function editorCommand(
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return [env["VISUAL"], env["EDITOR"]].find((text) => (text ?? "").trim() !== "")?.trim();
}

/** The command with the file to edit. A shell runs it, because it may have options and quotes. */
function editorArguments(command: string, path: string, isWindows: boolean): string[] {
  if (isWindows) return [...command.split(/\s+/), path];
  return ["/bin/sh", "-c", `${command} "$@"`, "sh", path];
}

const notFoundCode = 127;

/**
 * Opens a text in the user's editor; returns the saved bytes in any encoding. Only the user can
 * read the temporary file. The caller releases the terminal first.
 */
export async function editText(
  command: string,
  text: string | Uint8Array,
  suffix: string,
  isWindows: boolean,
): Promise<Uint8Array> {
  await removeAbandonedFolders(tmpdir(), editFolderPrefix);
  const directory = await mkdtemp(join(tmpdir(), editFolderPrefix));
  try {
    await chmod(directory, 0o700);
    const path = join(directory, `record${suffix}`);
    await writeFile(path, text, { mode: 0o600 });
    const child = Bun.spawn(editorArguments(command, path, isWindows), {
      stdio: ["inherit", "inherit", "inherit"],
    });
    const code = await child.exited;
    if (code === notFoundCode) throw new Error(`${command} was not found: nothing was changed`);
    if (code !== 0) throw new Error(`${command} ended with exit code ${code}: nothing was changed`);
    try {
      return await readFile(path);
    } catch {
      throw new Error(`${command} deleted the file: nothing was changed`);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
