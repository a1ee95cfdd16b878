import * as z from "zod";
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
/** States of a job; `interrupted` goes on by itself when its platform is back (spec 2.7). */
export type JobStatus = (typeof jobStatuses)[number];

/** States in which a job's tracker changes no more by itself. */
export const finalJobStatuses: ReadonlySet<string> = new Set([
  "succeeded",
  "completed_with_errors",
  "failed",
  "cancelled",
]);

export const stageNames = ["store", "extract", "classify", "analyze", "index"] as const;
/** Stages of a job, in their order. */
export type StageName = (typeof stageNames)[number];
const stageStatuses = ["pending", "running", "succeeded", "failed", "skipped"] as const;
/** States of a stage. */
export type StageStatus = (typeof stageStatuses)[number];

const jobError = z.looseObject({ code: z.string().optional(), message: z.string() });

const jobStage = z.looseObject({
  name: z.string(),
  status: z.string(),
  attempt: z.int().optional(),
  progress: z
    .looseObject({ done: z.number(), total: z.number().nullable(), unit: z.string() })
    .nullable()
    .optional(),
  startedAt: timestamp.nullable().optional(),
  finishedAt: timestamp.nullable().optional(),
  error: jobError.nullable().optional(),
});
/** One stage of a job: how far it is, and what went wrong in it. Times are RFC 3339. */
export type JobStage = z.output<typeof jobStage>;

/** A document job's tracker (spec 2.6). Only `jobId` and `status` are required of a deployment. */
export const documentJob = z
  .looseObject({
    jobId: z.string(),
    status: z.string(),
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
/** The processing of an upload, stage by stage; gone after `expiresAt` (spec 2.7). */
export type DocumentJob = z.output<typeof documentJob>;
