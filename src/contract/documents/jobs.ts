import * as z from "zod";
import { alsoNamed, named } from "../deployments.ts";
import { timestamp } from "../values.ts";
import { documentReference } from "./upload.ts";

const jobStatuses = [
  "queued",
  "running",
  "succeeded",
  "completed_with_errors",
  "failed",
  "cancelled",
  "interrupted",
] as const;
/** States of a job; an `interrupted` job continues when its platform restarts (spec 2.7). */
export type JobStatus = (typeof jobStatuses)[number];

/** States in which a job has ended. */
export const finalJobStatuses: ReadonlySet<string> = new Set([
  "succeeded",
  "completed_with_errors",
  "failed",
  "cancelled",
]);

const statusWords = `${jobStatuses.join(", ")}; final are ${[...finalJobStatuses].join(", ")}`;

export const stageNames = ["store", "extract", "classify", "analyze", "index"] as const;
/** Stages of a job, in order. */
export type StageName = (typeof stageNames)[number];
const stageStatuses = [
  "pending",
  "running",
  "succeeded",
  "completed_with_errors",
  "failed",
  "skipped",
] as const;
/** States of one stage: `completed_with_errors` when some of its documents failed. */
export type StageStatus = (typeof stageStatuses)[number];

const jobError = z.looseObject({
  message: alsoNamed(z.string(), "detail"),
  code: z.string().optional(),
});

const jobStage = z.looseObject({
  name: alsoNamed(z.string().describe(`In this order: ${stageNames.join(", ")}`), "stage"),
  status: alsoNamed(z.string().describe(stageStatuses.join(", ")), "state"),
  attempt: z.int().optional(),
  progress: z
    .looseObject({ done: z.number(), total: z.number().nullable(), unit: z.string() })
    .nullable()
    .optional(),
  counts: z
    .looseObject({ succeeded: z.number().optional(), failed: z.number().optional() })
    .nullable()
    .optional()
    .describe("The documents that this stage has processed"),
  startedAt: timestamp.nullable().optional(),
  finishedAt: timestamp.nullable().optional(),
  error: jobError.nullable().optional(),
});
/** One stage of a job: its progress, counts and error. Times are RFC 3339. */
export type JobStage = z.output<typeof jobStage>;

export const documentJob = z
  .looseObject({
    jobId: named(z.string()),
    status: alsoNamed(z.string().describe(statusWords), "state"),
    percentCompleted: z.number().optional(),
    documentId: z.string().nullable().optional(),
    documentIds: z.array(z.string()).optional(),
    documents: z.array(documentReference).optional(),
    stages: z.array(jobStage).optional(),
    counts: z.record(z.string(), z.number()).optional(),
    error: jobError.nullable().optional(),
    createdAt: timestamp.optional(),
    updatedAt: timestamp.optional(),
    expiresAt: timestamp.nullable().optional(),
  })
  .meta({ id: "DocumentJob" });
/** The processing of an upload, stage by stage; removed after `expiresAt` (spec 2.6, 2.7). */
export type DocumentJob = z.output<typeof documentJob>;
