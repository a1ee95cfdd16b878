import { AnswerBudget } from "#server/kit/answer-budget.ts";
import { expect } from "vitest";
import type { DocumentJob } from "#contract/documents/jobs.ts";
import type { DocumentRecord } from "#contract/documents/records.ts";
import type { UploadAccepted, UploadFields } from "#contract/documents/upload.ts";
import type { AnswerEngine } from "#server/domains/chat/answer-engine.ts";
import type { RunLimits } from "#server/domains/chat/answer-runs.ts";
import { answerEngine } from "#server/domains/chat/generative/generative-answers.ts";
import type { ToolAccess } from "#server/domains/chat/generative/tools.ts";
import type { JsonObject } from "#contract/values.ts";
import { readFields } from "#server/domains/document-types/read-fields.ts";
import { ClassifierModels } from "#server/domains/classifiers/models.ts";
import { claimedMediaType } from "#server/http/body/claimed-media-type.ts";
import { createDiskBlobStore } from "#server/files/disk-blob-store.ts";
import type { BlobStore } from "#server/files/blob-store.ts";
import { documentWork } from "#server/domains/documents/stages/run-stages.ts";
import { JobRunner } from "#server/jobs/runner.ts";
import type { PlatformBase } from "#server/domains/base.ts";
import { newChanges } from "#server/kit/changes.ts";
import { LifetimeOwner } from "#server/kit/lifetime.ts";
import { defaultLimits, type Limits } from "#server/kit/limits.ts";
import { noModels, type Models } from "#server/models/models.ts";
import { BlobRemovals } from "#server/files/blob-removals.ts";
import { ChatService } from "#server/domains/chat/service.ts";
import { documentJobKind } from "#server/domains/documents/document-job.ts";
import type { FoundRecord, RecordLookup } from "#server/domains/records/service.ts";
import { EmbeddingWork } from "#server/domains/documents/embedding/embedding-work.ts";
import { PassageFinder } from "#server/domains/documents/search/find-passages.ts";
import { DocumentService } from "#server/domains/documents/service.ts";
import { SearchWords } from "#server/search-index/word-list.ts";
import type { Work } from "#server/work/work.ts";
import type { Works } from "#server/work/works.ts";
import { testWorks } from "#test/support/work.ts";
import { Secrets } from "#server/domains/secrets/service.ts";
import { afterEveryTest } from "#test/support/cleanup.ts";
import { extractionProgram } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { eventually } from "#test/support/eventually.ts";
import { type WholeDatabase } from "#test/support/databases.ts";

export const planning = "0192f000-0000-7000-8000-000000000001";
export const licensing = "0192f000-0000-7000-8000-000000000002";
export const application = "0192f000-0000-7000-8000-00000000aaaa";
export const businessRequest = "0192f000-0000-7000-8000-00000000bbbb";
export const assessCase = "0192f000-0000-7000-8000-00000000cccc";
export const ada = "0192f000-0000-7000-8000-00000000ada0";

interface TypedRecord extends FoundRecord {
  readonly workspaceId: string;
  readonly type: string;
}

const records: readonly TypedRecord[] = [
  { workspaceId: planning, type: "planning-application", id: application, data: {} },
  { workspaceId: planning, type: "business-request", id: businessRequest, data: {} },
  {
    workspaceId: planning,
    type: "assess-case",
    id: assessCase,
    data: { title: "Case 1", planning_application: application },
  },
  binding("planning-portal", "planning-assistant", "active", {
    documentLifecycle: "planning-assist-v1",
  }),
  binding("business-portal", "triage", "active", {}),
  binding("business-portal", "drafted", "draft", {}),
  binding("business-portal", "unsaid", undefined, {}),
  binding("business-portal", "odd", "active", { documentLifecycle: "planning-assist-v9" }),
  {
    workspaceId: planning,
    type: "shared-workflow-config",
    id: "w1",
    data: { workflow_key: "planning-assistant", status: "active" },
  },
  {
    workspaceId: planning,
    type: "shared-workflow-config",
    id: "w2",
    data: { workflow_key: "sleeping", status: "draft" },
  },
];

function binding(
  vertical_key: string,
  workflow_key: string,
  status: string | undefined,
  config: Record<string, unknown>,
): TypedRecord {
  return {
    workspaceId: planning,
    type: "vertical-product-config",
    id: `${vertical_key}/${workflow_key}`,
    data: { vertical_key, workflow_key, status, config },
  };
}

/** Finds the records of the two workspaces. */
export const recordLookup: RecordLookup = lookupOf(records);

function lookupOf(among: readonly TypedRecord[]): RecordLookup {
  return {
    findRecord: async (_work, workspaceId, type, id) =>
      among.find(
        (each) => each.workspaceId === workspaceId && each.type === type && each.id === id,
      ),
    findRecords: async (_work, workspaceId, type, where) =>
      among.filter(
        (each) =>
          each.workspaceId === workspaceId &&
          each.type === type &&
          Object.entries(where).every(([name, value]) => each.data[name] === value),
      ),
  };
}

/** Documents and chat on one database, without HTTP. */
export interface World {
  readonly database: WholeDatabase;
  readonly blobs: BlobStore;
  readonly removals: BlobRemovals;
  readonly dataDirectory: string;
  readonly runner: JobRunner;
  readonly documents: DocumentService;
  readonly chat: ChatService;
  readonly embedding: EmbeddingWork;
  /** The work of ada's requests, over the rows of all workspaces. */
  readonly work: Work;
  /** The work of another user's requests. */
  as(oid: string): Work;
  /** Embeds what waits, or until the endpoint fails. */
  embed(): Promise<void>;
  advance(milliseconds: number): void;
  /** Stops the runner in order. */
  stop(): Promise<void>;
}

export interface WorldOptions {
  readonly dataDirectory?: string;
  readonly extractionCommand?: readonly string[];
  readonly blobs?: (blobs: BlobStore) => BlobStore;
  readonly models?: Models;
  readonly engine?: AnswerEngine;
  readonly toolAccess?: ToolAccess;
  /** Records of the planning workspace in addition to the usual ones. */
  readonly records?: readonly { readonly type: string; readonly data: JsonObject }[];
  readonly answerLimits?: Partial<RunLimits>;
  /** If true, it reads no changes of other platforms. */
  readonly isDeaf?: boolean;
  /** Leaves the leases of the work under way, as a killed platform does. */
  readonly isKilled?: boolean;
  readonly limits?: Partial<Limits>;
  /** If false, jobs stay queued. */
  readonly isWorking?: boolean;
}

const open: World[] = [];

afterEveryTest(async () => {
  await Promise.all(open.splice(0).map((world) => world.stop()));
});

/** The extraction child, which starts twice as fast compiled. */
export const extractionCommand = await extractionProgram();

export async function createWorld(
  database: WholeDatabase,
  options: WorldOptions = {},
): Promise<World> {
  const dataDirectory = options.dataDirectory ?? (await temporaryDirectory("documents"));
  const errors: unknown[] = [];
  let aheadMs = 0;
  const now = (): Date => new Date(Date.now() + aheadMs);
  const logger = { info: () => {}, warn: () => {}, error: () => {} };
  const lifetime = new LifetimeOwner(logger);
  const disk = createDiskBlobStore(dataDirectory);
  const blobs = options.blobs?.(disk) ?? disk;
  const { works, feed } = testWorks(database);
  const platformWork = works.forPlatform;
  const base: PlatformBase = {
    platformWork,
    merged: works.merged,
    feed,
    database,
    logger,
    now,
    blobs,
    removals: new BlobRemovals({ platformWork, blobs, now, logger, lifetime, dataDirectory }),
    dataDirectory,
    worker: { id: crypto.randomUUID(), earlierId: undefined },
    blobProvider: "disk",
    room: { database: { isLacking: false }, files: { isLacking: false } },
    changes: newChanges(),
    extractionCommand: options.extractionCommand ?? extractionCommand,
    fetchHosts: [],
    webhookAddress: { allowedHosts: new Set() },
    limits: { ...defaultLimits, ...options.limits },
    models: options.models ?? noModels,
    answers: new AnswerBudget(defaultLimits.answerBytes),
    lifetime,
    secrets: new Secrets(new Uint8Array(32)),
  };
  const models = new ClassifierModels({ records: recordLookup, models: base.models });
  const runner = new JobRunner({
    platformWork,
    kinds: {
      [documentJobKind]: documentWork({
        ...base,
        words: new SearchWords(works.forPlatform),
        understanding: {
          classify: (...input) => models.classifyDocument(...input),
          fields: async (work, { workspaceId, classification }, pages, signal) => {
            const document = { workspaceId, label: classification?.label ?? "" };
            return readFields(work, base.models, document, pages, signal);
          },
          review: async () => {},
        },
      }),
    },
    concurrency: 2,
    now,
    pollMs: 50,
    onError: (error) => void errors.push(error),
  });
  const passages = new PassageFinder(base);
  const embedding = new EmbeddingWork(base, 0);
  const documents = new DocumentService(base, {
    jobs: runner,
    records: recordLookup,
    passages,
    words: new SearchWords(base.platformWork),
  });
  const added = (options.records ?? []).map((record) => ({
    ...record,
    workspaceId: planning,
    id: Bun.randomUUIDv7(),
  }));
  const chat = new ChatService(base, {
    records: lookupOf([...added, ...records]),
    passages,
    engine: options.engine ?? answerEngine(base.models),
    ...(options.toolAccess === undefined ? {} : { access: options.toolAccess }),
    limits: options.answerLimits ?? {},
  });
  await base.removals.recover();
  await documents.recover();
  const heard = { work: platformWork("the feed"), logger, lifetime, limits: base.limits };
  if (options.isDeaf !== true) await feed.begin(heard);
  if (options.isWorking !== false) await runner.start();
  const world: World = {
    database,
    blobs,
    dataDirectory,
    runner,
    documents,
    removals: base.removals,
    chat,
    embedding,
    work: workOf(works, ada),
    as: (oid) => workOf(works, oid),
    embed: async () => {
      if (base.models.embedding !== undefined) await embedding.work(base.models.embedding);
    },
    advance: (milliseconds) => {
      aheadMs += milliseconds;
    },
    stop: async () => {
      await runner.stop(0);
      if (options.isKilled !== true) await embedding.stop();
      await lifetime.close();
      expect(errors).toEqual([]);
    },
  };
  open.push(world);
  return world;
}

/** The work of a user's request, over the rows of all workspaces. */
export function workOf(works: Works, caller: string): Work {
  const request = {
    recordings: [],
    note: undefined,
    enteredWorkspaceId: undefined,
    keep: () => {},
  };
  return works.forRequest({ workspaces: undefined, caller }, undefined, request);
}

export interface TestFile {
  readonly filename: string;
  readonly content: string | Uint8Array;
  readonly contentType?: string;
}

/** Uploads as the route does; by default for the planning application. */
export async function upload(
  { documents, work }: World,
  files: TestFile | readonly TestFile[],
  fields: Partial<UploadFields> = {},
  workspaceId = planning,
): Promise<UploadAccepted> {
  const open = await documents.uploads.begin(work, workspaceId, uploadFields(fields, workspaceId));
  try {
    for (const { filename, content, contentType } of Array.isArray(files) ? files : [files]) {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      await open.take(
        {
          filename,
          mediaType: claimedMediaType(contentType, filename),
          content: (async function* () {
            yield bytes;
          })(),
        },
        new AbortController().signal,
      );
    }
    return await open.accept(() => {});
  } finally {
    await open.discard();
  }
}

export function uploadFields(
  fields: Partial<UploadFields> = {},
  workspaceId = planning,
): UploadFields {
  const hasContext = fields.business_request_id !== undefined || fields.workflow_key !== undefined;
  return {
    tenant_id: workspaceId,
    storage_target: "resourceapi",
    processing_mode: "full",
    ...(hasContext ? {} : { planning_application_id: application }),
    ...fields,
  };
}

const endStates = ["succeeded", "completed_with_errors", "failed", "cancelled"];

export async function untilDone(
  { documents, work }: World,
  jobId: string,
  workspaceId = planning,
): Promise<DocumentJob> {
  return eventually(async () => {
    const job = await documents.jobs.get(work, { workspaceId, id: jobId });
    if (!endStates.includes(job.status)) throw new Error(`job ${jobId} is ${job.status}`);
    return job;
  });
}

/** One sentence, unless a test needs another. */
export const wallFile = (content = "The wall is 2.4 metres high.", filename = "a.txt") => ({
  filename,
  content,
});

/** Uploads a document and processes it. */
export async function firstDocument(world: World, content?: string): Promise<DocumentRecord> {
  const accepted = await upload(world, wallFile(content));
  await untilDone(world, accepted.jobId);
  return world.documents.record(world.work, planning, accepted.documentId ?? "");
}

/** The code of a refusal. */
export const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "no refusal",
    (error: { code?: string }) => error.code ?? error,
  );
