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
import { checkExecutable } from "#local/release/executable.ts";
import {
  previousPath,
  replaceExecutable,
  restorePrevious,
  TrialError,
} from "#local/release/swap.ts";
import type { CommandContext } from "../kit/context.ts";
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
      context.signal.throwIfAborted();
      await replaceExecutable(executable, released.executable, version);
      return { version, executable, previous: previousPath(executable) };
    }),
  );
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
