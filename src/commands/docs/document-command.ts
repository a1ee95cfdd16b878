import type { OptionsInput } from "#cli/command.ts";
import type { UploadAccepted } from "#contract/documents/upload.ts";
import { shellWord } from "#lib/text/shell-word.ts";
import { command, type Command, type VerbFacts } from "../kit/command.ts";
import type { CommandContext } from "../kit/context.ts";
import { otherFields } from "../kit/output/rows.ts";
import { fileProgress, localFile } from "../kit/input/files.ts";
import { textOption } from "#cli/command.ts";
import { missingField } from "#cli/errors.ts";
import { CatalogError } from "#contract/errors.ts";
import { uploadMetadataNames } from "#contract/documents/upload-metadata.ts";
import { tenantOption } from "../kit/workspaces/options.ts";

const metadata = textOption("text", "Metadata");

/** Options of `docs upload` and `docs classify`: the context and the metadata (spec 2.5). */
const uploadOptions = {
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
async function uploadMetadata(
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
async function checkUploadScope(
  metadata: Readonly<Record<string, string>>,
  verb: "upload" | "classify",
): Promise<void> {
  const { uploadFields } = await import("#client/files/upload.ts");
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

type Verb = "upload" | "classify";

const runOptions = {
  wait: { type: "boolean", description: "Follow every job to its end" },
  timeout: {
    type: "number",
    minimum: 1,
    maximum: 1800,
    default: 300,
    description: "Longest wait for all jobs, in seconds",
    needs: "wait",
  },
  again: {
    type: "boolean",
    description: "Send files again that an interrupted run has already sent",
  },
} as const;

const options = { ...uploadOptions, ...runOptions };

/** `svc docs upload` and `svc docs classify`: one request a file, with two processing modes. */
export function documentCommand(verb: Verb, facts: VerbFacts): Command {
  return command({
    ...facts,
    path: `docs ${verb}`,
    description:
      "The context is a planning application or a business request (with an assessment case, if " +
      "any), or the app and workflow keys of a configured standalone workflow. Business " +
      "documents (lifecycle business-document-v1) can only be classified: use `docs classify`. A " +
      "file is sent once: acceptance is not success, so follow the job. Several files, folders " +
      "(without hidden files and links) and globs are sent with one request and job each, and a " +
      "journal of the run: after an interruption, or when files failed, the same command " +
      "continues and sends no accepted file again. It exits with 1 when a file was not accepted " +
      "or, with --wait, when a job failed, and with 8 when a job still ran at the end of the " +
      "wait.",
    waits: true,
    arguments: [
      { name: "files", description: "Paths of files and folders, or globs", variadic: true },
    ],
    options,
    calls: ["documents.upload"],
    answer: ({ z, reply }) =>
      z.union([
        reply("documents.upload"),
        z.strictObject({
          files: z.array(
            z.strictObject({
              path: z.string(),
              outcome: z.string(),
              jobId: z.string().optional(),
              documentId: z.string().optional(),
              documentNumber: z.string().optional(),
              duplicateOf: z.string().optional(),
              jobStatus: z.string().optional(),
              error: z.strictObject({ code: z.string(), message: z.string() }).optional(),
            }),
          ),
          accepted: z.int(),
          duplicates: z.int(),
          sentBefore: z.int(),
          failed: z.int(),
          notSent: z.int(),
        }),
      ]),
    run: (input, context) => sendDocuments(context, input.arguments.files, input.options, verb),
  });
}

async function sendDocuments(
  context: CommandContext,
  paths: readonly string[],
  given: OptionsInput<typeof options>,
  verb: Verb,
): Promise<number | void> {
  const metadata = await uploadMetadata(context, given);
  await checkUploadScope(metadata, verb);
  const workspace = given["tenant-id"];
  const { findFiles, isOneFile } = await import("./many/find-files.ts");
  const [path = ""] = paths;
  const isAlone = await isOneFile(context, paths);
  if (isAlone && !given.wait) return sendDocument(context, path, metadata, workspace, verb);
  if (isAlone) await localFile(context, path);
  const files = await findFiles(context, paths);
  const { uploadMany } = await import("./many/upload-many.ts");
  return uploadMany(context, files, verb, metadata, {
    workspace,
    again: given.again,
    waitMs: given.wait ? given.timeout * 1000 : undefined,
  });
}

async function sendDocument(
  context: CommandContext,
  path: string,
  metadata: Readonly<Record<string, string>>,
  workspace: string | undefined,
  verb: Verb,
): Promise<void> {
  const { output, signal } = context;
  const file = await localFile(context, path);
  const client = await context.client({ workspace });
  const outcome = await client.useDocuments()[verb](file, metadata, {
    signal,
    onProgress: fileProgress(context, `Sending ${file.filename}`),
  });
  const accepted: UploadAccepted = await outcome.accepted();
  const { uploadAccepted } = await import("#contract/documents/upload.ts");
  await output.data(accepted, () =>
    output.fields([
      ["job", accepted.jobId],
      ["document", accepted.documentId],
      ["number", accepted.documentNumber],
      ["status", accepted.status],
      ["duplicate of", accepted.duplicateOf],
      ...otherFields(accepted, Object.keys(uploadAccepted.shape)),
    ]),
  );
  if (output.isJson) return;
  const words =
    accepted.duplicateOf === undefined
      ? "Accepted, not yet processed"
      : "The same bytes are already stored; nothing is processed again";
  // The command has its own line, because terminals break long lines in the middle of the ID.
  await output.note(output.tone("dim", `${words}. Follow it:`));
  await output.note(output.tone("dim", `  svc docs job ${shellWord(accepted.jobId)} --wait`));
}
