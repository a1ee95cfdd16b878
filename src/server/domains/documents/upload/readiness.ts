import type { UploadFields } from "#contract/documents/upload.ts";
import { pointer, Refusal } from "#contract/problems.ts";
import type { UploadScope } from "./upload-scope.ts";

/** The parts of a standalone classification that are configured one by one. */
export interface MissingPart {
  readonly part: "classifier" | "schemas" | "storage";
  readonly fault: string;
}

/** Returns the parts that a workflow lacks to classify; another domain implements it. */
export type ClassificationReadiness = (workflow: {
  readonly workspaceId: string;
  readonly lifecycle: string;
  readonly context: { readonly vertical_key?: string; readonly workflow_key?: string };
}) => Promise<readonly MissingPart[]>;

const nextSteps: Readonly<Record<MissingPart["part"], string>> = {
  classifier: "publish one (svc classifier put), then target it (svc classifier target)",
  schemas: "configure one with its fields (svc docs configure-type)",
  storage: "free space, then send the files again",
};

/**
 * Refuses a classification for a workflow alone, without a parent record, that can not succeed
 * (spec 4.1 rule 6). A published classifier is only one of the parts.
 */
export async function requireReadiness(
  readiness: ClassificationReadiness,
  workspaceId: string,
  { processing_mode: mode, ...fields }: UploadFields,
  { lifecycle, context }: UploadScope,
): Promise<void> {
  const hasParent =
    fields.planning_application_id !== undefined || fields.business_request_id !== undefined;
  if (mode !== "classification" || hasParent) return;
  const missing = await readiness({ workspaceId, lifecycle, context });
  if (missing.length === 0) return;
  const faults = missing.map(({ part, fault }) => `${fault}: ${nextSteps[part]}`);
  throw new Refusal("classification-not-ready", {
    detail: `The workflow cannot classify documents yet: ${faults.join("; ")}`,
    errors: faults.map((detail) => ({ pointer: pointer("workflow_key"), detail })),
    members: { missing: missing.map(({ part }) => part) },
  });
}
