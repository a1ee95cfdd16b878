import { stageNames, type StageName } from "#contract/documents/jobs.ts";
import { processingModes, type ProcessingMode } from "#contract/documents/upload-metadata.ts";
import * as z from "zod";

export const documentJobKind = "document";

const stages: Readonly<Record<ProcessingMode, readonly StageName[]>> = {
  store_only: ["store"],
  rag: ["store", "extract", "index"],
  classification: ["store", "extract", "classify", "analyze"],
  full: stageNames,
};

/** The stages of a processing mode; a job skips the others (spec part 3). */
export function documentStages(mode: ProcessingMode): readonly StageName[] {
  return stages[mode];
}

export const documentJobPayload = z.object({
  documentIds: z.array(z.string()).min(1),
  /** Runs the stages of this mode instead of those of the documents' uploads. */
  mode: z.enum(processingModes).optional(),
});
export type DocumentJobPayload = z.output<typeof documentJobPayload>;
