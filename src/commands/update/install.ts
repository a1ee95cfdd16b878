import { platform, release } from "node:os";
import { join } from "node:path";
import { catalogError, type CatalogError } from "#contract/errors.ts";
import { inputError } from "#cli/errors.ts";
import { makePrivateFolder } from "#lib/files/atomic-write.ts";
import { FileLockError, withFileLock } from "#lib/files/lock.ts";
import { commandPackage } from "#lib/packages.ts";
import { SignatureError } from "#lib/minisign.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import type { InstalledRelease } from "#cli/environment.ts";
import { ArchiveError, releasedExecutable } from "#local/release/archive.ts";
import { version as currentVersion } from "#lib/version.ts";
import { checkExecutable, type ReleasedExecutable } from "#local/release/executable.ts";
import { unmetNeed } from "#local/release/needs.ts";
import {
  previousPath,
  replaceExecutable,
  restorePrevious,
  TrialError,
} from "#local/release/swap.ts";
import type { CommandContext } from "../kit/context.ts";
import { defaultDataDirectory } from "../kit/platform/data-directory.ts";
import type { ReleaseSource } from "./source.ts";

const lockLimitMs = 1_000;
const nothingDone = "Nothing was installed; the executable in place is the one from before";

/** An executable that is in place of another one. */
export interface Installed {
  readonly version: string;
  readonly executable: string;
  /** The path of the executable before it. */
  readonly previous: string;
}

/** Checks, tries and installs a release. Throws E205, E302 or E305; nothing is then changed. */
export async function installRelease(
  context: CommandContext,
  installed: InstalledRelease,
  source: ReleaseSource,
): Promise<Installed> {
  const { executable, key, target } = installed;
  await refuseManaged(executable);
  return await oneAtATime(context, () =>
    explained(executable, async () => {
      const released = releasedExecutable(await source.archive(target));
      const { version } = source;
      checkExecutable(key, released, { version, target });
      await refuseUnmet(context, released, version);
      context.signal.throwIfAborted();
      await replaceExecutable(executable, released.executable, version);
      return { version, executable, previous: previousPath(executable) };
    }),
  );
}

/** Refuses a release that this machine is not ready for (E205). */
async function refuseUnmet(
  { environment }: CommandContext,
  { needs }: ReleasedExecutable,
  version: string,
): Promise<void> {
  if (needs === undefined) return;
  const place = defaultDataDirectory(environment.homeDirectory);
  const schema = await schemaOf(place);
  const data = schema === undefined ? undefined : { place, schema };
  const [system, kernel] = [platform(), release()];
  const unmet = unmetNeed(needs, { version: currentVersion, system, kernel, data });
  if (unmet === undefined) return;
  const details = `version ${version} can't be installed: ${unmet.reason}`;
  throw catalogError("E205", { details }, { hint: `${unmet.nextStep}. ${nothingDone}` });
}

/** The newest change of the schema of a data directory; undefined where there is no database. */
async function schemaOf(dataDirectory: string): Promise<string | undefined> {
  const path = join(dataDirectory, "svc.db");
  if (!(await Bun.file(path).exists())) return undefined;
  const { Database } = await import("bun:sqlite");
  try {
    using database = new Database(path, { readonly: true });
    const row = database
      .query<{ name: string }, []>("select max(name) as name from svc_migrations")
      .get();
    return row?.name;
  } catch {
    // The next start of the platform reports data that can't be read.
    return undefined;
  }
}

/** Puts the executable from before the last update in place. */
export async function rollBack(
  context: CommandContext,
  { executable }: InstalledRelease,
): Promise<Installed> {
  const previous = previousPath(executable);
  if (!(await Bun.file(previous).exists())) {
    throw catalogError(
      "E202",
      { resource: `The executable from before an update, ${previous},` },
      { hint: "There is one after `svc update` has installed a version" },
    );
  }
  return await oneAtATime(context, () =>
    explained(executable, async () => ({
      version: await restorePrevious(executable),
      executable,
      previous,
    })),
  );
}

/** E305: only executables of a release have a key and a target. */
export function unreleasedError(): CatalogError {
  const details = "this executable was built from sources, and has no release key";
  return inputError(details, "Install a release first: `sh install.sh` in its folder");
}

/** Runs `work` with failures of signatures, archives and files as catalog errors. */
export async function explained<Result>(
  executable: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw catalogErrorOf(error, executable) ?? error;
  }
}

function catalogErrorOf(error: unknown, executable: string): CatalogError | undefined {
  const isKnown =
    error instanceof SignatureError || error instanceof ArchiveError || error instanceof TrialError;
  if (isKnown) {
    return catalogError("E302", { details: error.message }, { hint: nothingDone, cause: error });
  }
  const code = systemErrorCode(error);
  if (code === undefined) return undefined;
  const details = `${executable} could not be replaced: ${systemErrorWords(error)}`;
  const isRefused = code === "EACCES" || code === "EPERM" || code === "EROFS";
  const hint = isRefused ? `${nothingDone}. Update as the user who installed it` : nothingDone;
  return catalogError("E305", { details }, { hint, cause: error });
}

async function oneAtATime<Result>(
  context: CommandContext,
  work: () => Promise<Result>,
): Promise<Result> {
  const { configDirectory } = await context.settings();
  await makePrivateFolder(configDirectory.value);
  const path = join(configDirectory.value, "update.lock");
  const { signal } = context;
  try {
    return await withFileLock(path, work, { timeoutMs: lockLimitMs, signal });
  } catch (error) {
    if (!(error instanceof FileLockError)) throw error;
    const details = "another update is running";
    throw catalogError("E205", { details }, { hint: "Wait for its end", cause: error });
  }
}

/** Programs of a package manager are its own to replace. */
async function refuseManaged(executable: string): Promise<void> {
  const folder = "/node_modules/";
  if (executable.replaceAll("\\", "/").includes(folder)) {
    throw managedError(executable, "npm", `Run \`npm install --global ${commandPackage}@latest\``);
  }
  const listed = Bun.file("/var/lib/dpkg/info/svc.list");
  if (executable.startsWith("/usr/bin/") && (await listed.exists())) {
    throw managedError(executable, "dpkg", "Install the release's .deb file with dpkg");
  }
}

function managedError(executable: string, manager: string, hint: string): CatalogError {
  return catalogError("E205", { details: `${executable} belongs to ${manager}` }, { hint });
}
