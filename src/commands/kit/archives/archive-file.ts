import { inputError } from "#cli/errors.ts";
import type { ArchiveManifest } from "#contract/workspaces/archives.ts";
import { chunksUntil } from "#lib/network/stream.ts";
import type { CommandContext } from "../context.ts";
import { findFile } from "../input/files.ts";
import { archiveStream } from "./passphrase.ts";

/**
 * The manifest of an archive's file, all of whose bytes are read and compared with its digests.
 * Throws E305 for a damaged one, and the reason of the signal when it aborts.
 */
export async function archiveManifestOf(
  context: Pick<CommandContext, "resolvePath">,
  path: string,
  passphrase: string | undefined,
  signal: AbortSignal,
): Promise<ArchiveManifest> {
  const { content } = await findFile(context, path);
  const stream = await archiveStream(content, path, passphrase);
  const { ArchiveDamagedError, verifiedManifest } = await import("#lib/archive/read-archive.ts");
  const { requireSignedAudit } = await import("#lib/archive/audit-signature.ts");
  const { archiveManifest } = await import("#contract/workspaces/archives.ts");
  try {
    const manifest = await verifiedManifest(chunksUntil(stream, signal), (value) =>
      archiveManifest.parse(value),
    );
    requireSignedAudit(manifest);
    return manifest;
  } catch (error) {
    if (!(error instanceof ArchiveDamagedError)) throw error;
    throw inputError(`${path} is not a sound archive: ${error.message}`);
  }
}
