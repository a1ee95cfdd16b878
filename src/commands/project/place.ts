import { lstat, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { usageError } from "#cli/errors.ts";
import { catalogError } from "#contract/errors.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import { projectName, type TemplateFile } from "#local/templates/template.ts";
import type { CommandContext } from "../context.ts";

/** The folder and the name of a new project. Throws E305 for a name that can't be one. */
export function placeOf(
  context: CommandContext,
  given: string | undefined,
  isCurrent: boolean,
): { readonly root: string; readonly name: string } {
  const here = context.environment.currentDirectory;
  const name = projectName(given ?? basename(here));
  if (name === "") throw usageError("the name has no letters", "For example: tree-register");
  // A path in the name would write elsewhere.
  if (given !== undefined && /[/\\]/.test(given)) {
    throw usageError(`"${given}" is a path: the name of a project is expected`);
  }
  return { root: isCurrent ? here : join(here, name), name };
}

/** Throws E205 unless the folder is new or empty, or has none of the files. */
export async function requireRoom(
  root: string,
  files: readonly TemplateFile[],
  isCurrent: boolean,
): Promise<void> {
  if (!isCurrent) {
    const entries = await readdir(root).catch((error: unknown) => {
      if (systemErrorCode(error) === "ENOENT") return [];
      throw catalogError("E205", { details: `${root}: ${systemErrorWords(error)}` });
    });
    if (entries.length === 0) return;
    const hint = "Choose another name, or run `svc init --current-dir` in it";
    throw catalogError("E205", { details: `${root} is not empty` }, { hint });
  }
  for (const path of [...files.map((file) => file.path), ".svc/project.json"]) {
    const taken = await lstat(join(root, path)).catch(() => undefined);
    if (taken === undefined) continue;
    const hint = "`svc init` replaces no file";
    throw catalogError("E205", { details: `${path} exists already` }, { hint });
  }
}
