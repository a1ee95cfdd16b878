import { lstat, mkdir, realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { catalogError } from "#contract/errors.ts";
import { given } from "#lib/given.ts";
import { saveAtomically, writeFileAtomically } from "#lib/files/atomic-write.ts";
import { readRegularFile } from "#lib/files/regular-file.ts";
import { filledText, membersOf, parsedJson } from "#lib/json/value.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import { version } from "#lib/version.ts";
import { packageProfileNames, templateNames } from "./templates/template.ts";
import type { ProjectFacts, TemplateFile, TemplateName } from "./templates/template.ts";

/** The record of a project's template and managed files, with the digest of each as written. */
export const manifestFile = ".svc/project.json";

export interface Manifest extends ProjectFacts {
  readonly template: TemplateName;
  readonly version: string;
  readonly files: ReadonlyMap<string, string>;
}

/** `changed`: differs from what was written; `outdated`: this version has another text. */
export type FileState = "current" | "missing" | "outdated" | "changed";

export interface ComparedFile {
  readonly path: string;
  readonly kind: TemplateFile["kind"];
  readonly state: FileState;
}

export interface RefreshedFile extends ComparedFile {
  readonly action: "none" | "written" | "kept";
  readonly backup?: string;
}

const maximumBytes = 1024 * 1024;
const maximumFileBytes = 16 * 1024 * 1024;

function digestOf(content: string | Uint8Array): string {
  return new Bun.CryptoHasher("sha256").update(content).digest("hex");
}

/** The project's record; undefined without one. Throws E005 for a damaged one. */
export async function readManifest(root: string): Promise<Manifest | undefined> {
  const path = join(root, manifestFile);
  const damaged = () => catalogError("E005", {}, { hint: `${manifestFile} is damaged` });
  const bytes = await readRegularFile(path, maximumBytes).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw damaged();
  });
  if (bytes === undefined) return undefined;
  const members = membersOf(parsedJson(new TextDecoder().decode(bytes)));
  const template = templateNames.find((name) => name === members?.get("template"));
  const profile = packageProfileNames.find((name) => name === members?.get("packageProfile"));
  const name = filledText(members?.get("name"));
  const files = membersOf(members?.get("files"));
  if (template === undefined || profile === undefined || name === undefined) throw damaged();
  if (!/^[a-z][a-z0-9-]{0,59}$/.test(name) || files === undefined) throw damaged();
  return {
    template,
    packageProfile: profile,
    name,
    version: filledText(members?.get("version")) ?? "",
    files: new Map([...files].map(([file_, digest]) => [file_, String(digest)])),
  };
}

/** Writes the record for these files. */
async function writeManifest(
  root: string,
  facts: Pick<Manifest, "template" | "name" | "packageProfile">,
  files: ReadonlyMap<string, string>,
): Promise<void> {
  const { template, name, packageProfile } = facts;
  const content = {
    version,
    template,
    name,
    packageProfile,
    files: Object.fromEntries([...files].toSorted(([left], [right]) => (left < right ? -1 : 1))),
  };
  await mkdir(join(root, ".svc"), { recursive: true });
  const text = `${JSON.stringify(content, null, 2)}\n`;
  await writeFileAtomically(join(root, manifestFile), text, { mode: 0o644 });
}

/** The path of a project's file. Throws E005 where a link leads out of the project. */
async function insidePath(root: string, path: string): Promise<string> {
  const target = join(root, path);
  let folder = dirname(target);
  for (;;) {
    const real = await realpath(folder).catch(() => undefined);
    if (real !== undefined) {
      const place = relative(await realpath(root), real);
      const isOutside = place === ".." || place.startsWith(`..${sep}`);
      if (!isOutside) break;
      throw catalogError("E005", {}, { hint: `${path} leads out of the project` });
    }
    folder = dirname(folder);
  }
  const facts = await lstat(target).catch(() => undefined);
  if (facts === undefined || facts.isFile()) return target;
  throw catalogError("E005", {}, { hint: `${path} is not a regular file` });
}

/** The bytes of a project's file; undefined without it. */
async function bytesOf(root: string, path: string): Promise<Uint8Array | undefined> {
  const target = await insidePath(root, path);
  try {
    return await readRegularFile(target, maximumFileBytes, { followsLinks: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    const isLarge = systemErrorCode(error) === "EFBIG";
    const reason = isLarge ? "is larger than 16 MiB" : `can't be read: ${systemErrorWords(error)}`;
    throw catalogError("E005", {}, { hint: `${path} ${reason}` });
  }
}

function isMissing(error: unknown): boolean {
  const code = systemErrorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

async function stateOf(
  root: string,
  file: TemplateFile,
  written: string | undefined,
): Promise<FileState> {
  const bytes = await bytesOf(root, file.path);
  if (bytes === undefined) return "missing";
  const digest = digestOf(bytes);
  if (digest === digestOf(file.text)) return "current";
  return digest === written ? "outdated" : "changed";
}

/** Compares a project with the files of its template. Reads only. */
export async function compareFiles(
  root: string,
  files: readonly TemplateFile[],
  manifest: Manifest | undefined,
): Promise<ComparedFile[]> {
  return await Promise.all(
    files.map(async (file) => ({
      path: file.path,
      kind: file.kind,
      state: await stateOf(root, file, manifest?.files.get(file.path)),
    })),
  );
}

export interface RefreshOptions {
  /** Reports the differences and changes nothing. */
  readonly check: boolean;
  /** Replaces changed files too, after a copy to `.svc/backup`. */
  readonly force: boolean;
}

/** Renews the managed files of a project. */
export async function refreshFiles(
  root: string,
  manifest: Manifest,
  files: readonly TemplateFile[],
  { check, force }: RefreshOptions,
): Promise<RefreshedFile[]> {
  const managed = files.filter(({ kind }) => kind === "managed");
  const compared = await compareFiles(root, managed, manifest);
  const stamp = new Date().toISOString().replaceAll(/[:.]/g, "-");
  const digests = new Map(manifest.files);
  const done: RefreshedFile[] = [];
  for (const [index, entry] of compared.entries()) {
    const { text } = managed[index] ?? { text: "" };
    const isKept = entry.state === "changed" && !force;
    const action = entry.state === "current" ? "none" : isKept ? "kept" : "written";
    let backup: string | undefined;
    if (action === "written" && !check) {
      if (entry.state === "changed") {
        backup = join(".svc/backup", stamp, entry.path);
        await writeProjectFile(root, backup, (await bytesOf(root, entry.path)) ?? "");
      }
      await writeProjectFile(root, entry.path, text);
    }
    if (action !== "kept") digests.set(entry.path, digestOf(text));
    done.push({ ...entry, action, ...given({ backup }) });
  }
  if (!check) await writeManifest(root, manifest, digests);
  return done;
}

/** Writes one file of a project, in one step. Throws E005 where a link leads out of it. */
async function writeProjectFile(
  root: string,
  path: string,
  content: string | Uint8Array,
): Promise<void> {
  const target = await insidePath(root, path);
  try {
    await mkdir(dirname(target), { recursive: true });
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await saveAtomically(target, [bytes], { mode: 0o644 });
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    const details = `${path} can't be written: ${systemErrorWords(error)}`;
    throw catalogError("E006", { details }, { cause: error });
  }
}

/** Writes every file of a new project, and its record unless it is not to be refreshed. */
export async function writeProject(
  root: string,
  facts: Pick<Manifest, "template" | "name" | "packageProfile">,
  files: readonly TemplateFile[],
  isManaged: boolean,
): Promise<void> {
  await mkdir(root, { recursive: true });
  for (const { path, text } of files) await writeProjectFile(root, path, text);
  if (!isManaged) return;
  const digests = files.map(({ path, text }) => [path, digestOf(text)] as const);
  await writeManifest(root, facts, new Map(digests));
}
