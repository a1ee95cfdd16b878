import { catalogError } from "#contract/errors.ts";
import { uploadMetadataNames } from "#contract/upload-metadata.ts";
import type { CommandContext } from "../context.ts";
import { tenantOption } from "../command.ts";

const text = (description: string) => ({ type: "string", description }) as const;

/** Options of `docs upload` and `docs classify`: the context, and the accepted metadata (spec 2.5). */
export const uploadOptions = {
  "tenant-id": tenantOption,
  "planning-application-id": text("Planning application that the document belongs to"),
  "business-request-id": text("Business request that the document belongs to"),
  "assess-case-id": text("Assessment case, with one of the two above"),
  "vertical-key": {
    type: "string",
    description: "App of a standalone workflow, with --workflow-key (environment: SVC_APP_KEY)",
    aliases: ["app-key"],
  },
  "workflow-key": text("Workflow of a standalone upload, with --vertical-key"),
  category: text("Metadata"),
  source: text("Metadata"),
  "enrichment-level": text("Metadata"),
  "context-data": text("Metadata: JSON text"),
  "tenant-slug": text("Metadata"),
  "council-name": text("Metadata"),
  "org-id": text("Metadata"),
  "document-id": text("Metadata"),
  "conversation-id": text("Metadata"),
  workflow: text("Metadata"),
  "source-service": text("Metadata"),
  "correlation-id": text("Metadata"),
  "async-mode": text("Metadata"),
} as const;

type UploadValues = Readonly<Record<string, unknown>>;

function textValue(options: UploadValues, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

/**
 * The upload's metadata from the flags. A workflow key alone takes its app from the settings
 * (SVC_APP_KEY, SVC_VERTICAL_KEY, project). The client refuses what is missing or conflicts.
 */
export async function uploadMetadata(
  context: CommandContext,
  options: UploadValues,
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
    const value = textValue(options, name.replaceAll("_", "-"));
    if (value !== undefined) metadata[name] = value;
  }
  if (metadata["workflow_key"] !== undefined && metadata["vertical_key"] === undefined) {
    const appKey = (await context.settings()).appKey?.value;
    if (appKey !== undefined) metadata["vertical_key"] = appKey;
  }
  return metadata;
}

/** The named file, checked to be one; its bytes are read only when they are sent. */
export async function uploadFile(
  context: CommandContext,
  path: string,
): Promise<{ filename: string; contentType: string; content: Bun.BunFile }> {
  const content = Bun.file(context.resolvePath(path));
  const facts = await content.stat().catch(() => undefined);
  if (facts === undefined) throw catalogError("E003", { file: path });
  if (!facts.isFile()) throw catalogError("E305", { details: `${path} is not a file` });
  const filename = path.split(/[/\\]/).at(-1) ?? path;
  return { filename, contentType: content.type || "application/octet-stream", content };
}
