import type { ImportFormat } from "#contract/geo/import-formats.ts";
import { given } from "#lib/given.ts";
import { counted } from "#lib/text/counted.ts";
import { BlobMissingError, type BlobStore } from "../../../../files/blob-store.ts";
import type { Job } from "../../../../jobs/job.ts";
import {
  JobFailedError,
  type JobContext,
  type JobOutcome,
  type JobWork,
} from "../../../../jobs/runner.ts";
import { boxColumns, datasetById, updateDataset } from "../dataset-store.ts";
import { reportDataset } from "../datasets.ts";
import { FormatError, type Chunks, type SourceOptions } from "../formats/source.ts";
import {
  addGeneration,
  retireOfJob,
  setGenerationState,
  setPropertyTypes,
} from "../generation-store.ts";
import { endImport, importOfJob, type ImportRecord } from "./import-store.ts";
import type { FileSummary, ReadingTask } from "./feature-reader.ts";
import { Loader } from "./loader.ts";
import { readInThread } from "./reading-thread.ts";

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
  const { skip = false, dryRun = false } = optionsOf(row);
  const { generation, replaced } = await context.write(async (tx) => {
    await retireOfJob(tx, workspaceId, job.id);
    const dataset = await datasetById(tx, workspaceId, row.dataset_id);
    return {
      generation: await addGeneration(tx, { workspaceId, state: "loading", jobId: job.id }),
      replaced: dataset?.features ?? 0,
    };
  });
  const loader = new Loader({
    workspaceId,
    generation,
    at: parts.now().toISOString(),
    write: (unit) => context.write(unit),
  });
  const { failure, summary } = await loadAll(run, loader, { generation, replaced });
  const { stored, refused } = loader.counts;
  if (summary === undefined || (refused > 0 && !skip) || dryRun) {
    await context.write(async (tx) => {
      await setGenerationState(tx, workspaceId, generation, "retired");
      await endImport(tx, row, loader.faults);
    });
  } else await swap(run, loader, { generation, ...summary });
  parts.onReleased();
  if (failure !== undefined) throw new JobFailedError(failure, "malformed-file");
  if (refused > 0 && !skip) {
    const words = `Not valid: ${refused} of ${counted(loader.counts.read, "feature")}; none was stored`;
    throw new JobFailedError(words, "features-refused");
  }
  if (refused === 0) return undefined;
  const all = counted(loader.counts.read, "feature");
  const message = `Not valid and left out: ${refused} of ${all}; ${stored} stored`;
  return { state: "completed_with_errors", error: { code: "features-refused", message } };
}

/** The summary of a file, or why it cannot be read. */
type Loaded =
  | { readonly summary: FileSummary; readonly failure?: undefined }
  | { readonly failure: string; readonly summary?: undefined };

/**
 * Loads all features of the file into the generation. The features that it replaces give their
 * room to its own.
 */
async function loadAll(
  run: Run,
  loader: Loader,
  { generation, replaced }: { readonly generation: number; readonly replaced: number },
): Promise<Loaded> {
  const { context, row, parts, progress } = run;
  const { format, repair, keep, ...source } = optionsOf(row);
  const task: ReadingTask = { generation, format, source, geometries: given({ repair, keep }) };
  const room = (await parts.roomFor(row.workspace_id)) + replaced;
  const { signal } = context;
  try {
    const chunks = chunksOf(parts.blobs, row, { progress, signal });
    for await (const part of readInThread(chunks, task, signal)) {
      await loader.add(part);
      // The last part counts too: a small file has no other one.
      if (part.summary !== undefined) await loader.end();
      context.setCounts({ ...loader.counts });
      if (loader.counts.stored > room) {
        return { failure: `The quota allows this dataset ${counted(room, "feature")}` };
      }
      if (part.summary !== undefined) return { summary: part.summary };
    }
    throw new Error("the last part of a file had no summary");
  } catch (error) {
    if (error instanceof FormatError) return { failure: error.message };
    throw error;
  } finally {
    await loader.end();
    context.setCounts({ ...loader.counts });
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

/** Lets the dataset name the new features, in one transaction. */
async function swap(
  run: Run,
  loader: Loader,
  { generation, box, types }: FileSummary & { readonly generation: number },
): Promise<void> {
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
      ...boxColumns(box),
      updated_by: job.createdBy,
      updated_at: parts.now().toISOString(),
    };
    // A change in between makes the unit run again.
    if (!(await updateDataset(tx, dataset, changes))) throw new Error("The dataset has changed");
    await setGenerationState(tx, workspaceId, dataset.generation, "retired");
    await setGenerationState(tx, workspaceId, generation, "current");
    await setPropertyTypes(tx, workspaceId, generation, types);
    const version = dataset.version + 1;
    const actor = job.createdBy;
    reportDataset(tx, dataset, { op: "imported", version, changed: ["features"], actor });
    return true;
  });
  if (!isThere) throw new JobFailedError("The dataset was deleted meanwhile", "dataset-deleted");
}
