/**
 * `bun scripts/extras.ts FOLDER`: the files that a package installs next to the executable:
 * completions of every shell, and manual pages. They need no build.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { completionScript, scriptNames, shells } from "#cli/completion/scripts.ts";
import { manPages } from "#cli/pages/man.ts";
import { commandTable } from "#commands/registry.ts";
import { version } from "#lib/version.ts";

/**
 * Writes `completions/svc.bash`, `_svc`, `svc.fish` and `svc.ps1`, and `man/man1/svc*.1`. The same
 * sources give the same bytes. Resolves to the paths in the folder, sorted.
 */
export async function writeExtras(folder: string): Promise<string[]> {
  const files = new Map<string, string>([
    ...shells.map(
      (shell) => [`completions/${scriptNames[shell]}`, completionScript(shell)] as const,
    ),
    ...[...manPages(commandTable, version)].map(
      ([name, page]) => [`man/man1/${name}`, page] as const,
    ),
  ]);
  await mkdir(folder, { recursive: true });
  for (const [path, text] of files) await Bun.write(join(folder, path), text);
  return [...files.keys()].toSorted();
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    console.error("svc: name the folder");
    process.exitCode = 2;
  } else {
    const paths = await writeExtras(folder);
    console.error(`svc: wrote ${paths.length} files into ${folder}`);
  }
}
