import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The user's editor as a command: VISUAL, else EDITOR; undefined where none is set. */
export function editorCommand(
  env: Readonly<Record<string, string | undefined>>,
): string[] | undefined {
  const named = [env["VISUAL"], env["EDITOR"]].find((text) => (text ?? "").trim() !== "");
  return named?.trim().split(/\s+/);
}

/**
 * Lets the user edit a text in their editor; gives the text as it was saved. The file is readable
 * by nobody else and gone afterwards. The terminal must have been given away before.
 */
export async function editText(
  command: readonly string[],
  text: string,
  suffix: string,
): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "svc-edit-"));
  try {
    await chmod(directory, 0o700);
    const path = join(directory, `record${suffix}`);
    await writeFile(path, text, { mode: 0o600 });
    const child = Bun.spawn([...command, path], { stdio: ["inherit", "inherit", "inherit"] });
    const code = await child.exited;
    if (code !== 0) throw new Error(`${command[0] ?? "the editor"} ended with exit code ${code}`);
    return await readFile(path, "utf8");
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
