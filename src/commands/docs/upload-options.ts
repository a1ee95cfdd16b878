import { textOption } from "#cli/command.ts";
import { missingField } from "#cli/errors.ts";
import { CatalogError } from "#contract/errors.ts";
import { uploadMetadataNames } from "#contract/documents/upload-metadata.ts";
import type { CommandContext } from "../context.ts";
import { tenantOption } from "../command.ts";

const metadata = textOption("text", "Metadata");

/** Options of `docs upload` and `docs classify`: the context and the metadata (spec 2.5). */
export const uploadOptions = {
  "tenant-id": tenantOption,
  "planning-application-id": textOption("id", "Planning application that the document belongs to"),
  "business-request-id": textOption("id", "Business request that the document belongs to"),
  "assess-case-id": textOption("id", "Assessment case, with one of the two above"),
  "vertical-key": {
    type: "string",
    placeholder: "key",
    description: "App of a standalone workflow, with --workflow-key (environment: SVC_APP_KEY)",
    aliases: ["app-key"],
  },
  "workflow-key": textOption("key", "Workflow of a standalone upload, with --vertical-key"),
  category: metadata,
  source: metadata,
  "enrichment-level": metadata,
  "context-data": { ...metadata, placeholder: "json" },
  "tenant-slug": metadata,
  "council-name": metadata,
  "org-id": metadata,
  "document-id": metadata,
  "conversation-id": metadata,
  workflow: metadata,
  "source-service": metadata,
  "correlation-id": metadata,
  "async-mode": metadata,
} as const;

/** The upload's metadata from the flags; a workflow key alone takes its app key from settings. */
export async function uploadMetadata(
  context: CommandContext,
  options: Readonly<Record<string, unknown>>,
): Promise<Record<string, string>> {
  const metadata: Record<string, string> = {};
  const names = [
    "planning_application_id",
    "business_request_id",
    "assess_case_id",
    "vertical_key",
    "workflow_key",
    ...uploadMetadataNames,
  ];
  for (const name of names) {
    const value = options[name.replaceAll("_", "-")];
    if (typeof value === "string") metadata[name] = value;
  }
  if (metadata["workflow_key"] !== undefined && metadata["vertical_key"] === undefined) {
    const appKey = (await context.settings()).appKey?.value;
    if (appKey !== undefined) metadata["vertical_key"] = appKey;
  }
  return metadata;
}

/** Runs the client's checks (spec 4.1 rule 4) before the file is opened. Throws E303 with flags. */
export async function checkUploadScope(
  metadata: Readonly<Record<string, string>>,
  verb: "upload" | "classify",
): Promise<void> {
  const { uploadFields } = await import("#client/upload.ts");
  try {
    // The checks do not use the workspace, which is not known yet.
    uploadFields(metadata, "unchecked", verb === "classify" ? "classification" : undefined);
  } catch (error) {
    if (!(error instanceof CatalogError) || error.code !== "E303") throw error;
    throw missingField(
      "document context",
      "Name --planning-application-id or --business-request-id, or both --vertical-key and " +
        "--workflow-key of a standalone workflow",
    );
  }
}
