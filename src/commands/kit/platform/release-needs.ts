import { platform, release as kernelRelease } from "node:os";
import { inputError } from "#cli/errors.ts";
import { readRegularFile } from "#lib/files/regular-file.ts";
import { systemErrorCode, systemErrorWords } from "#lib/system-error.ts";
import { version } from "#lib/version.ts";
import { ArchiveError, maximumArchiveBytes, releasedExecutable } from "#local/release/archive.ts";
import { unmetNeed } from "#local/release/needs.ts";

/** Whether the release in an archive can serve the data of a directory on this machine. */
export interface ReleaseCheck {
  readonly file: string;
  readonly ok: boolean;
  readonly reason?: string;
  readonly nextStep?: string;
}

/** Compares the needs of a release with this machine and its data. Throws E006 for other files. */
export async function checkRelease(
  file: string,
  data: { readonly place: string; readonly schema: string } | undefined,
): Promise<ReleaseCheck> {
  const { needs } = await readRelease(file);
  // An archive of an earlier version has no list of needs.
  if (needs === undefined) return { file, ok: true };
  const machine = { version, system: platform(), kernel: kernelRelease(), data };
  const unmet = unmetNeed(needs, machine);
  return unmet === undefined ? { file, ok: true } : { file, ok: false, ...unmet };
}

async function readRelease(file: string) {
  try {
    const archive = await readRegularFile(file, maximumArchiveBytes, { followsLinks: true });
    return releasedExecutable(archive);
  } catch (error) {
    const isOfSystem = systemErrorCode(error) !== undefined;
    if (!(error instanceof ArchiveError) && !isOfSystem) throw error;
    const reason = error instanceof ArchiveError ? error.message : systemErrorWords(error);
    throw inputError(
      `${file} can't be read as a release: ${reason}`,
      "Name an archive svc-VERSION-TARGET.tar.zst or .tar.gz",
    );
  }
}
