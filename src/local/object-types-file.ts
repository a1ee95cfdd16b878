import type { Stats } from "node:fs";
import { lstat, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import type { ObjectType } from "#contract/object-types.ts";
import { writeFileAtomically } from "#lib/atomic-write.ts";
import { jsonReading } from "#lib/json-loss.ts";
import { pointer, pointerWords } from "#lib/json-pointer.ts";
import { systemErrorWords } from "#lib/system-error.ts";
import { utf8Text } from "#lib/utf8-text.ts";
import { definitionsIn, UnusableDefinitions } from "./object-types-definitions.ts";
import { runModule, type ModuleRun } from "./object-types-module.ts";
import { renderObjectTypes } from "./object-types-source.ts";
import type { Project } from "./surface.ts";

/** The project's own definitions; `types pull` never writes there (spec 4.7 rule 4). */
const reservedName = "object-types.ts";
const sourceNames = [reservedName, "object-types.json"] as const;
const maximumBytes = 4 * 1024 * 1024;

export interface LoadedObjectTypes {
  readonly file: string;
  /** Another Object Types file in the same folder, which was not read. */
  readonly passedOver: string | undefined;
  /** One entry for each definition: plain JSON, not checked. */
  readonly types: readonly unknown[];
}

/**
 * Reads the project's Object Types file. A TypeScript module is run in a child process: it exports
 * `objectTypes` (or `types`, or a default) as a list or an object of definitions, or each
 * definition by name. Without a module, a JSON file with the same content is read. Throws E004.
 */
export async function loadObjectTypes(
  project: Project,
  run: ModuleRun & { readonly onRun?: (file: string) => Promise<void> },
): Promise<LoadedObjectTypes> {
  const folder = project.configDirectory ?? join(project.root, "src/eai.config");
  const sources = await Promise.all(sourceNames.map((name) => sourceAt(join(folder, name))));
  const [source, other] = sources.filter((each) => each !== undefined);
  if (source === undefined) throw catalogError("E004");
  const { file, facts } = source;
  if (!facts.isFile()) throw invalid("it is not a file");
  if (facts.size > maximumBytes) throw invalid("it is larger than 4 MiB");
  try {
    const isJson = file.endsWith(".json");
    if (!isJson) await run.onRun?.(file);
    const types = isJson ? definitionsIn(await readJson(file)) : await runModule(file, run);
    return { file, types, passedOver: other?.file };
  } catch (error) {
    throw error instanceof UnusableDefinitions ? invalid(error.message) : error;
  }
}

async function sourceAt(file: string): Promise<{ file: string; facts: Stats } | undefined> {
  const facts = await stat(file).catch(() => undefined);
  return facts && { file, facts };
}

async function readJson(file: string): Promise<unknown> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new UnusableDefinitions(systemErrorWords(error));
  });
  const text = utf8Text(bytes);
  if (text === undefined) throw new UnusableDefinitions("it is not UTF-8 text");
  const { value, loss } = jsonReading(text);
  if (loss !== undefined) {
    const place = loss.path.length === 0 ? "it" : pointerWords(pointer(...loss.path));
    throw new UnusableDefinitions(`${place} ${loss.detail}`);
  }
  if (value === undefined) throw new UnusableDefinitions("it is not JSON");
  return value;
}

function invalid(reason: string): CatalogError {
  return catalogError("E004", {}, { hint: `The file can't be used: ${reason}` });
}

const projectMarks = ["package.json", ".git", ".env.local", "src/eai.config"] as const;

/**
 * Throws E305 for an output that `types pull` must not write (spec 4.7 rule 4): the reserved name,
 * a link, a path through a linked folder of the project, or anything but a file.
 */
export async function checkOutputPath(path: string): Promise<void> {
  if (basename(path).toLowerCase() === reservedName) {
    throw refused(`${reservedName} is reserved for the project's own definitions`);
  }
  const target = await lstat(path).catch(() => undefined);
  if (target?.isSymbolicLink() === true || (target?.isFile() === true && target.nlink > 1)) {
    throw refused("the output is a link");
  }
  if (target !== undefined && !target.isFile()) throw refused("the output is not a file");
  let folder = dirname(path);
  const parent = await lstat(folder).catch(() => undefined);
  if (parent === undefined) {
    const hint = `Create ${folder} first, or set another file with --output`;
    throw catalogError("E305", { details: "the output's folder does not exist" }, { hint });
  }
  if (parent.isSymbolicLink()) throw refused("the output's folder is a link");
  const root = await projectRootOf(folder);
  // Links above the project are allowed, e.g. a home folder on another disk.
  while (root !== undefined && folder !== root) {
    if ((await lstat(folder)).isSymbolicLink()) throw refused("the output's folder is a link");
    folder = dirname(folder);
  }
}

async function projectRootOf(start: string): Promise<string | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    for (const mark of projectMarks) {
      if ((await stat(join(folder, mark)).catch(() => undefined)) !== undefined) return folder;
    }
    if (dirname(folder) === folder) return undefined;
  }
}

/** Replaces the output with a TypeScript module of these types, after checking its path. */
export async function writeObjectTypesFile(
  path: string,
  types: readonly ObjectType[],
): Promise<void> {
  await checkOutputPath(path);
  try {
    await writeFileAtomically(path, renderObjectTypes(types), { mode: 0o644 });
  } catch (error) {
    throw catalogError("E305", { details: `${path} can't be written: ${systemErrorWords(error)}` });
  }
}

function refused(details: string): CatalogError {
  return catalogError("E305", { details });
}
