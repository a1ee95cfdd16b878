import { existsSync } from "node:fs";
import { join } from "node:path";

/** A program of the system; Debian keeps the operator's ones outside a user's PATH. */
export function findTool(name: string): string | undefined {
  const folders = [...(process.env["PATH"] ?? "").split(":"), "/usr/sbin", "/sbin"];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

/** Runs it to its end. Throws what it says on stderr. */
export async function runTool(name: string, ...args: readonly string[]): Promise<void> {
  const child = Bun.spawn([findTool(name) ?? name, ...args], { stdout: "ignore", stderr: "pipe" });
  const errors = await child.stderr.text();
  if ((await child.exited) !== 0) throw new Error(`${name}: ${errors}`);
}
