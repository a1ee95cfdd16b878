import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The user's editor as they would type it: VISUAL, else EDITOR; undefined where none is set. */
export function editorCommand(
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  return [env["VISUAL"], env["EDITOR"]].find((text) => (text ?? "").trim() !== "")?.trim();
}

/** The command with a file to edit; a shell reads it, since it may hold options and quotes. */
function editorArguments(command: string, path: string, isWindows: boolean): string[] {
  if (isWindows) return [...command.split(/\s+/), path];
  return ["/bin/sh", "-c", `${command} "$@"`, "sh", path];
}

/** What a shell says of a command that is not there. */
const notFoundCode = 127;

/**
 * Lets the user edit a text in their editor; gives the bytes as they were saved, in whatever encoding
 * that is. The file is readable by nobody else and gone afterwards. The terminal must have been given
 * away before.
 */
export async function editText(
  command: string,
  text: string | Uint8Array,
  suffix: string,
  isWindows: boolean,
): Promise<Uint8Array> {
  const directory = await mkdtemp(join(tmpdir(), "svc-edit-"));
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
      throw new Error(`${command} left no file behind: nothing was changed`);
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
