import { archiveGroups, maximumArchiveBytes } from "#contract/workspaces/archive-parts.ts";
import type { ArchiveManifest } from "#contract/workspaces/archives.ts";
import { auditText, type AuditEnd } from "#lib/archive/audit-signature.ts";
import { archiveBytes, archiveMark, type WrittenParts } from "#lib/archive/write-archive.ts";
import { given } from "#lib/given.ts";
import { version } from "#lib/version.ts";
import type { Reader } from "../../../database/database.ts";
import { statement } from "../../../database/statement.ts";
import { acceptBlobs } from "../../../files/accept-blobs.ts";
import { StorageFullError } from "../../../kit/storage-errors.ts";
import type { StagedBlob } from "../../../files/blob-store.ts";
import { KeyedLock } from "../../../kit/turns/keyed-lock.ts";
import {
  JobFailedError,
  type JobContext,
  type JobWork,
  type StageRun,
} from "../../../jobs/runner.ts";
import type { PlatformBase } from "../../base.ts";
import { archiveOfJob, updateArchive, type ArchiveRecord } from "../store.ts";
import { optionsOf } from "../options.ts";
import { archiveItems } from "./archive-items.ts";
import { createPrivateKey, createPublicKey, sign } from "node:crypto";

/** The bytes of an Ed25519 key in PKCS #8 before its 32 bytes (RFC 8410, 7). */
const keyPrefix = Buffer.from("302e020100300506032b657004220420", "hex");

type LogEnd = Omit<AuditEnd, "sha256">;

/** The last entry of the log in a snapshot; 0 and "" without one. */
async function auditEnd(reader: Reader, workspaceId: string): Promise<LogEnd> {
  const row = await reader.first<LogEnd>(statement`select sequence, digest from audit_heads
    where workspace_id = ${workspaceId}`);
  return row === undefined
    ? { sequence: 0, digest: "" }
    : { sequence: Number(row.sequence), digest: row.digest };
}

/**
 * Signs the part with the audit log. `seed` is 32 bytes that only the platform has; its public key
 * is the same in all of its archives.
 */
function signedAudit(
  seed: Uint8Array,
  workspaceId: string,
  end: AuditEnd,
): NonNullable<ArchiveManifest["audit"]> {
  const key = createPrivateKey({
    key: Buffer.concat([keyPrefix, seed]),
    format: "der",
    type: "pkcs8",
  });
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" });
  const text = auditText(workspaceId, end);
  return {
    ...end,
    publicKey: publicKey.toString("base64"),
    signature: sign(null, Buffer.from(text), key).toString("base64"),
  };
}

export const exportJobKind = "workspace-export";
export const exportStage = "export";

export type ExportBase = Pick<PlatformBase, "blobs" | "removals" | "now" | "secrets">;

/** Files of a manifest that are named as missing; more are an error of the store. */
const missingAtMost = 10_000;

/** Writes the archive of a workspace from one snapshot. After a crash it begins again. */
export function exportWork(base: ExportBase): JobWork {
  // A snapshot uses a connection for as long as the archive takes.
  const lock = new KeyedLock();
  return async (job, context) => {
    const row = await archiveOfJob(context.work.read, job.workspaceId, job.id);
    if (row === undefined) return;
    await context.runStage(exportStage, (stage) =>
      lock.run("export", async () => {
        context.signal.throwIfAborted();
        await exported(base, { row, context, stage });
      }),
    );
    const made = await archiveOfJob(context.work.read, job.workspaceId, job.id);
    // Only this job writes the column.
    const { missing } = JSON.parse(made?.manifest ?? '{"missing":[]}') as ArchiveManifest;
    if (missing.length === 0) return;
    const files = missing.length === 1 ? "A file is" : `${missing.length} files are`;
    const message = `${files} missing from the file store or damaged, and not in the archive`;
    return { state: "completed_with_errors", error: { code: "content-missing", message } };
  };
}

interface Run {
  readonly row: ArchiveRecord;
  readonly context: JobContext;
  readonly stage: StageRun;
}

async function exported(base: ExportBase, { row, context, stage }: Run): Promise<void> {
  const { removals } = base;
  const { staged, manifest } = await context.work
    .snapshot((reader) => stagedArchive(base, reader, { row, context, stage }))
    .catch((error: unknown) => {
      if (!(error instanceof StorageFullError)) throw error;
      throw new JobFailedError("The file store has no space for the archive", "storage-full");
    });
  try {
    const uses = { database: context.work, staged: [staged], onWait: () => removals.wake() };
    await acceptBlobs(uses, (requireStored) =>
      context.write(async (tx) => {
        await requireStored(tx);
        const { sha256 } = staged.address;
        const changes = { sha256, size: staged.size, manifest: JSON.stringify(manifest) };
        if (await updateArchive(tx, row, changes)) return;
        throw new JobFailedError("The archive was removed meanwhile", "archive-removed");
      }),
    );
    await staged.discard();
  } catch (error) {
    await removals.takeBack([staged]);
    throw error;
  }
}

async function stagedArchive(
  { blobs, now, secrets }: ExportBase,
  reader: Reader,
  { row, context, stage }: Run,
): Promise<{ readonly staged: StagedBlob; readonly manifest: ArchiveManifest }> {
  const { workspace_id: workspaceId } = row;
  const groups = new Set(optionsOf(row).groups ?? archiveGroups);
  const createdAt = now().toISOString();
  const workspace = await reader.first<ArchiveManifest["workspace"]>(statement`select id, slug,
      display_name as "displayName", time_zone as "timeZone"
    from workspaces where id = ${workspaceId}`);
  if (workspace === undefined) throw new JobFailedError("The workspace is deleted", "not-found");
  const end = groups.has("audit") ? await auditEnd(reader, workspaceId) : undefined;
  const missing: string[] = [];
  let manifest: ArchiveManifest | undefined;
  const manifestOf = ({ parts, files }: WrittenParts): ArchiveManifest => {
    const log = parts.find(({ name }) => name === "audit");
    const audit =
      end === undefined || log === undefined
        ? undefined
        : signedAudit(secrets.for("workspace archives"), workspaceId, {
            ...end,
            sha256: log.sha256,
          });
    return (manifest = {
      ...archiveMark,
      createdAt,
      svcVersion: version,
      workspace,
      groups: archiveGroups.filter((group) => groups.has(group)),
      parts: parts.map((part) => ({ ...part })),
      files,
      missing,
      ...given({ audit }),
    });
  };
  const items = archiveItems({
    reader,
    blobs,
    workspaceId,
    groups,
    signal: context.signal,
    onMissing: (sha256) => {
      if (missing.length === missingAtMost) throw new Error("The file store lacks most files");
      missing.push(sha256);
    },
    onProgress: (lines) => stage.progress(lines, null, "lines"),
  });
  const staged = await blobs.stage(workspaceId, archiveBytes(items, manifestOf), {
    limitBytes: maximumArchiveBytes,
    signal: context.signal,
  });
  if (manifest !== undefined) return { staged, manifest };
  await staged.discard();
  throw new Error("The archive has no manifest");
}
