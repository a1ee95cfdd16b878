import type { Dirent } from "node:fs";
import { lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { catalogError } from "#contract/errors.ts";
import { removeUnfinished, unfinishedName } from "#lib/files/abandoned-folders.ts";
import { isUnfinishedFile } from "#lib/files/atomic-write.ts";
import { readRegularFile } from "#lib/files/regular-file.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import { readEnvText } from "./env/file.ts";
import { withVariables, writeEnvFile } from "./env/lines.ts";
import { manifestFile, writeProject } from "./managed-files.ts";
import type { ProjectFacts, TemplateFile, TemplateName } from "./templates/template.ts";

export interface NewProject {
  readonly root: string;
  /** The root is the current folder, which may have other files. */
  readonly isCurrent: boolean;
  readonly facts: ProjectFacts & { readonly template: TemplateName };
  readonly files: readonly TemplateFile[];
  /** The project keeps a record of its files, so that later versions renew them. */
  readonly isManaged: boolean;
}

/** First letters of the folder in which a project is made. */
const unfinishedPrefix = ".svc-init-";
const variablesFile = ".env.local";

/**
 * Throws E205 unless the folder is new or has room for the project. Files with the same bytes count
 * as the rest of a killed call, unless no file is missing.
 */
export async function requireRoom(project: NewProject): Promise<void> {
  const { root, isCurrent, files, isManaged } = project;
  if (!isCurrent) await requireOwnEntries(project);
  const found: string[] = [];
  for (const { path, text } of files) {
    if (await isTaken(join(root, path), text)) throw existsError(path);
    if (await isPresent(join(root, path))) found.push(path);
  }
  if (await isPresent(join(root, manifestFile))) throw existsError(manifestFile);
  const isComplete = found.length === files.length && !isManaged;
  if (isComplete && found[0] !== undefined) throw existsError(found[0]);
}

/** Throws E205 for a folder with anything that no call of `svc init` writes. */
async function requireOwnEntries({ root, files }: NewProject): Promise<void> {
  const own = new Set([...files.map(({ path }) => path), variablesFile, manifestFile]);
  const folders = new Set([...own].flatMap((path) => foldersOf(path)));
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await entriesOf(join(root, folder))) {
      const path = join(folder, entry.name);
      const isFolder = entry.isDirectory() && folders.has(path);
      if (isFolder) waiting.push(path);
      if (isFolder || own.has(path) || isUnfinishedFile(entry.name)) continue;
      const hint = "Choose another name, or run `svc init --current-dir` in it";
      throw catalogError("E205", { details: `${root} is not empty` }, { hint });
    }
  }
}

/** The folders above a relative path, e.g. `a` and `a/b` of `a/b/c.ts`. */
function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => join(...parts.slice(0, at + 1)));
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  return await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (systemErrorCode(error) === "ENOENT") return [];
    throw catalogError("E205", { details: `${folder}: ${systemErrorWords(error)}` });
  });
}

/**
 * Writes the files of a new project. A new folder gets its name when it is complete; the next call
 * removes what a killed one left.
 */
export async function makeProject(
  project: NewProject,
  variables: ReadonlyMap<string, string> | undefined,
): Promise<void> {
  const { root } = project;
  const parent = dirname(root);
  const unfinished = (await isPresent(root))
    ? undefined
    : join(parent, await unfinishedName(unfinishedPrefix));
  try {
    if (unfinished === undefined) return await writeFiles(project, root, variables);
    await removeUnfinished(parent, unfinishedPrefix);
    await writeFiles(project, unfinished, variables);
    await rename(unfinished, root);
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    throw catalogError("E205", { details: `${root}: ${systemErrorWords(error)}` });
  } finally {
    if (unfinished !== undefined) await rm(unfinished, { recursive: true, force: true });
  }
}

/** Writes the record of the files last: a project with it is complete. */
async function writeFiles(
  { facts, files, isManaged }: NewProject,
  root: string,
  variables: ReadonlyMap<string, string> | undefined,
): Promise<void> {
  await mkdir(root, { recursive: true });
  if (variables !== undefined) {
    const path = join(root, variablesFile);
    const text = (await isPresent(path)) ? await readEnvText(path) : "";
    await writeEnvFile(path, withVariables(text, variables));
  }
  await writeProject(root, facts, files, isManaged);
}

function existsError(path: string): Error {
  const hint = "`svc init` replaces no file";
  return catalogError("E205", { details: `${path} exists already` }, { hint });
}

async function isPresent(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

/** True for a path with anything but a regular file that has exactly this text. */
async function isTaken(path: string, text: string): Promise<boolean> {
  if (!(await isPresent(path))) return false;
  const expected = Buffer.from(text);
  const reading = readRegularFile(path, expected.byteLength, { followsLinks: false });
  const bytes = await reading.catch(() => undefined);
  return bytes === undefined || !expected.equals(bytes);
}
