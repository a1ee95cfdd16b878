import { copyFile, link, open, readdir, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sleep } from "#lib/time/sleep.ts";
import { systemErrorCode } from "#lib/system-error.ts";
import { isVersion } from "#lib/version.ts";
import { hasWriterEnded, writerMark, writerMarkPattern } from "#lib/writer-mark.ts";

const trialLimitMs = 30_000;
const staleMs = 3_600_000;
const busyAttempts = 20;
const busyPauseMs = 50;
const workName = new RegExp(`^\\.svc-update-(?:(${writerMarkPattern})-)?[0-9a-f-]{36}$`);

/** The new executable does not work on this machine. */
export class TrialError extends Error {
  override readonly name = "TrialError";
}

/** The path of the executable from before an update. */
export function previousPath(executable: string): string {
  return `${executable}.previous`;
}

/**
 * Puts a new executable in place of the old one, which is kept for `restorePrevious`. A process
 * that ends in between leaves the old or the new one. Throws `TrialError` or the system's error.
 */
export async function replaceExecutable(
  executable: string,
  bytes: Uint8Array,
  version: string,
): Promise<void> {
  await removeStale(executable);
  const staged = await workPath(executable);
  try {
    await writeSynced(staged, bytes, (await stat(executable)).mode & 0o777);
    if ((await versionOf(staged)) !== version) {
      throw new TrialError(`the new executable is not version ${version}`);
    }
    await keepAs(executable, previousPath(executable));
    await putInPlace(staged, executable);
  } finally {
    await rm(staged, { force: true });
  }
}

/** Swaps the executable and the kept one; returns the version that is then in place. */
export async function restorePrevious(executable: string): Promise<string> {
  await removeStale(executable);
  const previous = previousPath(executable);
  const version = await versionOf(previous);
  if (!isVersion(version)) throw new TrialError(`${previous} does not print a version`);
  const [staged, kept] = [await workPath(executable), await workPath(executable)];
  try {
    await linkOrCopy(previous, staged);
    await linkOrCopy(executable, kept);
    await putInPlace(staged, executable);
    await rename(kept, previous);
  } finally {
    await Promise.all([rm(staged, { force: true }), rm(kept, { force: true })]);
  }
  return version;
}

/** The version that an executable prints. Throws `TrialError` when it does not run. */
async function versionOf(executable: string): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // The trial gets no variable of the caller: it must not depend on the user's settings.
      const child = Bun.spawn([executable, "--version"], {
        env: { PATH: "/usr/bin:/bin" },
        stdio: ["ignore", "pipe", "ignore"],
        timeout: trialLimitMs,
        killSignal: "SIGKILL",
      });
      const [text, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
      if (exitCode !== 0) throw new TrialError(`${executable} ended with exit code ${exitCode}`);
      return text.trim();
    } catch (error) {
      if (error instanceof TrialError) throw error;
      const code = systemErrorCode(error);
      // Another process that was just started may still hold the file open for writing.
      if (code !== "ETXTBSY" || attempt === busyAttempts) {
        throw new TrialError(`${executable} does not run: ${code ?? "unknown reason"}`, {
          cause: error,
        });
      }
      await sleep(busyPauseMs);
    }
  }
}

async function workPath(executable: string): Promise<string> {
  const mark = await writerMark();
  const prefix = mark === undefined ? "" : `${mark}-`;
  return join(dirname(executable), `.svc-update-${prefix}${crypto.randomUUID()}`);
}

/** Removes what a killed update has left. */
async function removeStale(executable: string): Promise<void> {
  const folder = dirname(executable);
  for (const name of await readdir(folder)) {
    const found = workName.exec(name);
    if (found === null) continue;
    const path = join(folder, name);
    const facts = await stat(path).catch(() => undefined);
    const isStale = facts !== undefined && Date.now() - facts.mtimeMs > staleMs;
    const [, mark] = found;
    if (isStale || (mark !== undefined && (await hasWriterEnded(mark)))) {
      await rm(path, { force: true });
    }
  }
}

async function writeSynced(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const handle = await open(path, "wx", 0o700);
  try {
    for (let offset = 0; offset < bytes.byteLength;) {
      const { bytesWritten } = await handle.write(bytes, offset, bytes.byteLength - offset);
      if (bytesWritten === 0) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
      offset += bytesWritten;
    }
    await handle.chmod(mode | 0o500);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A second name for the old file, so that there is always one under the first. */
async function keepAs(executable: string, previous: string): Promise<void> {
  const kept = await workPath(executable);
  try {
    await linkOrCopy(executable, kept);
    await rename(kept, previous);
  } finally {
    await rm(kept, { force: true });
  }
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (systemErrorCode(error) === "ENOENT") throw error;
    // Some file systems have no second names.
    await copyFile(from, to);
  }
}

async function putInPlace(staged: string, executable: string): Promise<void> {
  try {
    await rename(staged, executable);
  } catch (error) {
    // Windows replaces no running program, but lets it be renamed.
    const code = systemErrorCode(error);
    if (code !== "EPERM" && code !== "EACCES" && code !== "EBUSY") throw error;
    const aside = await workPath(executable);
    await rename(executable, aside);
    try {
      await rename(staged, executable);
    } catch (second) {
      await rename(aside, executable);
      throw second;
    }
  }
  await syncFolder(dirname(executable));
}

async function syncFolder(path: string): Promise<void> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, "r");
    await handle.sync();
  } catch {
    // Some systems do not sync folders.
  } finally {
    await handle?.close();
  }
}
