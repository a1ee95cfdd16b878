import { endOfArchive, endOfPassingArchive } from "#client/files/archive-end.ts";
import { storedContent } from "#client/files/content.ts";
import type { Client } from "#client/index.ts";
import { CatalogError } from "#contract/errors.ts";
import type { ArchiveGroup } from "#contract/workspaces/archive-parts.ts";
import type { ArchiveImport, WorkspaceArchive } from "#contract/workspaces/archives.ts";
import { given } from "#lib/given.ts";
import { endOfJob } from "#lib/time/job-end.ts";
import { readJob } from "#lib/job-outcome.ts";
import { failureLine } from "../kit/answers/failure.ts";
import { saveFailure, saveFile, type SaveTarget } from "../kit/files/save-file.ts";
import type { Work, WorkOutcome, WorkProgress } from "../kit/state/work.ts";
import { sizeWords } from "../kit/text/words.ts";
import type { ArchivedMember, ArchiveFiles, ComparedSide, OpenedArchive } from "../surface.ts";
import { comparisonOutcome, importOutcome } from "./words.ts";

/** The workspace of a transfer, and the progress and the end of its dialog. */
export interface Transfer {
  readonly client: Client;
  readonly tenantId: string | undefined;
  readonly files: ArchiveFiles;
  readonly report: (progress: WorkProgress) => void;
  readonly signal: AbortSignal;
}

/** The longest time that a job is followed; the platform goes on with a longer one. */
const followedMs = 2 * 60 * 60_000;

const partOf = (counted: string): Pick<Work, "counted" | "wordsOf"> => ({
  counted,
  wordsOf: (percent) => `${Math.round(percent)} %`,
});
const madePart = partOf("of the archive made");
const importedPart = partOf("of the archive imported");
const savedPart = { counted: "saved", wordsOf: sizeWords };
const sentPart = { counted: "sent", wordsOf: sizeWords };

interface Progressing {
  readonly percentCompleted?: number | undefined;
}

function percentOf(
  { percentCompleted = 0 }: Progressing,
  part: ReturnType<typeof partOf>,
): WorkProgress {
  return { done: percentCompleted, total: 100, part };
}

function waitOf({ report, signal }: Transfer) {
  const onState = (state: WorkspaceArchive): void => report(percentOf(state, madePart));
  return { waitMs: followedMs, onState, signal };
}

/** Why an archive has no file; undefined where it has one. */
function notMade(state: WorkspaceArchive): WorkOutcome | undefined {
  const { outcome } = readJob(state);
  if (outcome === "succeeded" || outcome === "completed_with_errors") return undefined;
  const why = state.error?.message;
  const lines = [`the archive is ${state.status}, and has no file`];
  return { good: false, lines: why === undefined ? lines : [...lines, why] };
}

/** The files that an archive lacks, as text; undefined for a complete one. */
function incomplete(state: WorkspaceArchive): string | undefined {
  if (readJob(state).outcome !== "completed_with_errors") return undefined;
  return state.error?.message ?? "the archive is not complete";
}

async function* counting(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let bytes = 0;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    yield chunk;
    bytes += chunk.byteLength;
    onBytes(bytes);
  }
  signal.throwIfAborted();
}

/**
 * Waits for an archive and writes its file, which appears when it is complete. A connection that
 * breaks continues where it was.
 */
export async function saveArchive(
  transfer: Transfer,
  archive: WorkspaceArchive,
  { target, passphraseFile }: { target: SaveTarget; passphraseFile: string | undefined },
): Promise<WorkOutcome> {
  const { client, tenantId, files, report, signal } = transfer;
  try {
    const state = await endOfArchive(client, archive, { tenantId, ...waitOf(transfer) });
    const obstacle = notMade(state);
    if (obstacle !== undefined) return obstacle;
    const input = { tenantId, params: { archiveId: state.id }, signal };
    const content = await storedContent(client.archives.content, input);
    const plain = counting(content.chunks(), signal, (done) =>
      report({ done, total: content.size, part: savedPart }),
    );
    try {
      const chunks =
        passphraseFile === undefined ? plain : await files.encrypted(plain, passphraseFile);
      const size = await saveFile(target, chunks);
      const words = passphraseFile === undefined ? "digest verified" : "encrypted";
      const written = `wrote ${target.path} (${sizeWords(size)}, ${words})`;
      const trouble = incomplete(state);
      return {
        good: trouble === undefined,
        lines: trouble === undefined ? [written] : [written, trouble],
      };
    } catch (error) {
      await content.response.body?.cancel().catch(() => {});
      throw error;
    }
  } catch (error) {
    return saveFailure(error, target);
  }
}

/** Sends an archive, follows its import, and invites the members; returns the outcome by part. */
export async function importArchive(
  transfer: Transfer,
  archive: OpenedArchive,
  members: readonly ArchivedMember[],
): Promise<WorkOutcome> {
  const { client, tenantId, report, signal } = transfer;
  const stream = await archive.stream();
  const started = await client.archives.import({
    tenantId,
    content: { stream: () => stream },
    onProgress: (done) => report({ done, total: archive.size, part: sentPart }),
    signal,
  });
  const params = { importId: started.id };
  let last: ArchiveImport = started;
  try {
    last = await endOfJob(started, {
      read: () => client.archives.importJob({ tenantId, params, signal }),
      waitMs: followedMs,
      onState: (state) => {
        last = state;
        report(percentOf(state, importedPart));
      },
      signal,
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    return importOutcome(last);
  }
  const { outcome } = readJob(last);
  const isStored = outcome === "succeeded" || outcome === "completed_with_errors";
  return importOutcome(last, isStored ? await invited(transfer, members) : []);
}

async function invited(
  { client, tenantId, signal }: Transfer,
  members: readonly ArchivedMember[],
): Promise<string[]> {
  const lines: string[] = [];
  for (const { email, role } of members) {
    if (signal.aborted) return [...lines, "stopped; the others are not invited"];
    try {
      const present = await client.members
        .byEmail({ tenantId, query: { email }, signal })
        .catch(isUnknown);
      if (present === undefined) {
        await client.members.invite({ tenantId, body: { email, role }, signal });
      }
      const words = present === undefined ? `invited as ${role}` : "a member already";
      lines.push(`${email}: ${words}`);
    } catch (error) {
      lines.push(`${email}: not invited, ${failureLine(error)}`);
    }
  }
  return lines;
}

/** A person who is no member; throws every other failure. */
function isUnknown(error: unknown): undefined {
  if (error instanceof CatalogError && error.code === "E202") return undefined;
  throw error;
}

/** The other side of a comparison: a file, or a workspace by its id. */
export type OtherSide =
  | { readonly path: string; readonly passphraseFile: string | undefined }
  | { readonly workspaceId: string };

/** Compares the workspace with another side, part by part; its archives are removed again. */
export async function compareWith(
  transfer: Transfer,
  other: OtherSide,
  name: string,
): Promise<WorkOutcome> {
  // The file is read first: a damaged one or a wrong passphrase makes no archive.
  const there =
    "path" in other
      ? await fileSide(transfer, other.path, other.passphraseFile)
      : await workspaceSide(transfer, other.workspaceId);
  const here = await workspaceSide(transfer, transfer.tenantId);
  const failed = "lines" in there ? there : "lines" in here ? here : undefined;
  if (failed !== undefined || "lines" in there || "lines" in here) {
    return failed ?? { good: false, lines: [] };
  }
  return comparisonOutcome(transfer.files.compared(here, there), name);
}

async function fileSide(
  { files, signal }: Transfer,
  path: string,
  passphraseFile: string | undefined,
): Promise<ComparedSide> {
  const { manifest } = await files.open(path, passphraseFile, signal);
  return { manifest, isWorkspace: false };
}

/** The state of a workspace by an archive that is removed again. */
async function workspaceSide(
  transfer: Transfer,
  tenantId: string | undefined,
): Promise<ComparedSide | WorkOutcome> {
  const { client, signal } = transfer;
  const started = await client.archives.create({ tenantId, body: {}, signal });
  const wait = { tenantId, ...waitOf(transfer) };
  const { manifest, ...state } = await endOfPassingArchive(client, started, wait);
  if (manifest !== undefined) return { manifest, isWorkspace: true };
  return notMade(state) ?? { good: false, lines: ["the archive has no manifest"] };
}

/** Asks the platform for an archive of some groups, or of all. */
export function makeArchive(
  { client, tenantId }: Pick<Transfer, "client" | "tenantId">,
  groups: ArchiveGroup[] | undefined,
  idempotencyKey: string,
): Promise<WorkspaceArchive> {
  return client.archives.create({ tenantId, body: given({ groups }), idempotencyKey });
}
