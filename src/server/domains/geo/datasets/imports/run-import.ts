import type { ImportFormat } from "#contract/geo/import-formats.ts";
import { given } from "#lib/given.ts";
import { BlobMissingError, type BlobStore } from "../../../../files/blob-store.ts";
import type { Job } from "../../../../jobs/job.ts";
import {
  JobFailedError,
  type JobContext,
  type JobOutcome,
  type JobWork,
} from "../../../../jobs/runner.ts";
import { TickShare } from "../../../../kit/turns/tick-share.ts";
import { boxColumns, datasetById, updateDataset } from "../dataset-store.ts";
import { reportDataset } from "../datasets.ts";
import { detected, featuresIn } from "../formats/read.ts";
import { FormatError, type Chunks, type SourceOptions } from "../formats/source.ts";
import {
  addGeneration,
  retireOfJob,
  setGenerationState,
  setPropertyTypes,
} from "../generation-store.ts";
import { endImport, importOfJob, type ImportRecord } from "./import-store.ts";
import { Loader } from "./loader.ts";

export const importJobKind = "geo-import";
export const importStage = "import";

/** The options of a request, as the import's row keeps them. */
export interface ImportOptions extends SourceOptions {
  readonly format?: ImportFormat | undefined;
  readonly dryRun?: boolean | undefined;
  readonly repair?: boolean | undefined;
  readonly keep?: boolean | undefined;
  readonly skip?: boolean | undefined;
}

export interface ImportParts {
  readonly blobs: BlobStore;
  readonly now: () => Date;
  /** Refuses an import that would exceed the quota of records. */
  readonly roomFor: (workspaceId: string) => Promise<number>;
  /** Removes features and files that nothing needs, in the background. */
  readonly onReleased: () => void;
}

export function optionsOf({ options }: Pick<ImportRecord, "options">): ImportOptions {
  // Only the request of an import writes the column.
  return JSON.parse(options) as ImportOptions;
}

/**
 * Reads a file into a new generation, which the dataset then names. After a crash it begins again;
 * the features of an earlier attempt are removed.
 */
export function importWork(parts: ImportParts): JobWork {
  return async (job, context) => {
    const row = await importOfJob(context.work.read, job.workspaceId, job.id);
    if (row === undefined || row.sha256 === null) return undefined;
    let outcome: JobOutcome | undefined;
    await context.runStage(importStage, async (stage) => {
      const progress = (done: number): void => stage.progress(done, row.size, "bytes");
      outcome = await runImport({ job, row, context, parts, progress });
    });
    return outcome;
  };
}

interface Run {
  readonly job: Job;
  readonly row: ImportRecord;
  readonly context: JobContext;
  readonly parts: ImportParts;
  readonly progress: (done: number) => void;
}

async function runImport(run: Run): Promise<JobOutcome | undefined> {
  const { job, row, context, parts } = run;
  const { workspaceId } = job;
  const { repair, keep, skip = false, dryRun = false } = optionsOf(row);
  const generation = await context.write(async (tx) => {
    await retireOfJob(tx, workspaceId, job.id);
    return addGeneration(tx, { workspaceId, state: "loading", jobId: job.id });
  });
  const loader = new Loader({
    workspaceId,
    generation,
    at: parts.now().toISOString(),
    reading: given({ repair, keep }),
    write: (unit) => context.write(unit),
  });
  const failure = await loadAll(run, loader);
  const { stored, refused } = loader.counts;
  const isRefused = failure !== undefined || (refused > 0 && !skip);
  if (isRefused || dryRun) {
    await context.write(async (tx) => {
      await setGenerationState(tx, workspaceId, generation, "retired");
      await endImport(tx, row, loader.faults);
    });
  } else await swap(run, loader, generation);
  parts.onReleased();
  if (failure !== undefined) throw new JobFailedError(failure, "malformed-file");
  if (refused > 0 && !skip) {
    const words = `${refused} of ${loader.counts.read} features are not valid; nothing was stored`;
    throw new JobFailedError(words, "features-refused");
  }
  if (refused === 0) return undefined;
  const message = `${refused} features are not valid and were left out; ${stored} are stored`;
  return { state: "completed_with_errors", error: { code: "features-refused", message } };
}

/** Loads all features; returns why the file cannot be read. */
async function loadAll(run: Run, loader: Loader): Promise<string | undefined> {
  const { context, row, parts, progress } = run;
  const options = optionsOf(row);
  const room = await parts.roomFor(row.workspace_id);
  try {
    const chunks = chunksOf(parts.blobs, row, { progress, signal: context.signal });
    const source = await detected(chunks, options.format);
    const ticks = new TickShare(row.workspace_id);
    // The format was found by the first chunk, which has a whole line of most files.
    const pieces = inTicks(source.chunks, row.workspace_id);
    for await (const feature of featuresIn(source.format, pieces, options)) {
      await loader.add(feature);
      await ticks.yieldWhenUsed();
      if (loader.lastPlace % 1_000 !== 0) continue;
      context.signal.throwIfAborted();
      context.setCounts({ ...loader.counts });
      if (loader.counts.stored > room) return `The quota allows ${room} more records`;
    }
    await loader.end();
    context.setCounts({ ...loader.counts });
    return undefined;
  } catch (error) {
    await loader.end();
    context.setCounts({ ...loader.counts });
    if (error instanceof FormatError) return error.message;
    throw error;
  }
}

async function* chunksOf(
  blobs: BlobStore,
  { workspace_id: workspaceId, sha256 }: ImportRecord,
  { progress, signal }: { readonly progress: (done: number) => void; readonly signal: AbortSignal },
): Chunks & AsyncGenerator<Uint8Array, void, void> {
  const address = { workspaceId, sha256: sha256 ?? "" };
  const content = await blobs.open(address);
  if (content === undefined) throw new BlobMissingError(address);
  let done = 0;
  for await (const chunk of content.stream()) {
    signal.throwIfAborted();
    done += chunk.byteLength;
    progress(done);
    yield chunk;
  }
}

/** The bytes of one part of a tick: a parser takes milliseconds for them. */
const pieceBytes = 32 * 1024;

/** The bytes in small pieces, between which the process answers other requests. */
export async function* inTicks(
  chunks: Chunks,
  share: string,
): Chunks & AsyncGenerator<Uint8Array, void, void> {
  const ticks = new TickShare(share);
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.byteLength; at += pieceBytes) {
      await ticks.yieldWhenUsed();
      yield chunk.subarray(at, at + pieceBytes);
    }
  }
}

/** Lets the dataset name the new features, in one transaction. */
async function swap(run: Run, loader: Loader, generation: number): Promise<void> {
  const { job, row, context, parts } = run;
  const { workspaceId } = job;
  const isThere = await context.write(async (tx) => {
    const dataset = await datasetById(tx, workspaceId, row.dataset_id);
    await endImport(tx, row, loader.faults);
    if (dataset === undefined) {
      await setGenerationState(tx, workspaceId, generation, "retired");
      return false;
    }
    const changes = {
      generation,
      features: loader.counts.stored,
      last_place: loader.lastPlace,
      ...boxColumns(loader.box),
      updated_by: job.createdBy,
      updated_at: parts.now().toISOString(),
    };
    // A change in between makes the unit run again.
    if (!(await updateDataset(tx, dataset, changes))) throw new Error("The dataset has changed");
    await setGenerationState(tx, workspaceId, dataset.generation, "retired");
    await setGenerationState(tx, workspaceId, generation, "current");
    await setPropertyTypes(tx, workspaceId, generation, loader.types);
    const version = dataset.version + 1;
    const actor = job.createdBy;
    reportDataset(tx, dataset, { op: "imported", version, changed: ["features"], actor });
    return true;
  });
  if (!isThere) throw new JobFailedError("The dataset was deleted meanwhile", "dataset-deleted");
}
