import { replyMembers } from "#contract/route-table.ts";
import type { AnyCommand, OptionsInput } from "#cli/command.ts";
import type { UploadAccepted } from "#contract/documents/upload.ts";
import { shellWord } from "#lib/shell-word.ts";
import { command } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { otherFields } from "../output/rows.ts";
import { fileProgress, localFile } from "../input/files.ts";
import { checkUploadScope, uploadMetadata, uploadOptions } from "./upload-options.ts";

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
export function documentCommand(verb: Verb, summary: string): AnyCommand<CommandContext> {
  return command({
    path: `docs ${verb}`,
    summary,
    description:
      "The context is a planning application or a business request (with an assessment case, if " +
      "any), or the app and workflow keys of a configured standalone workflow. Business documents " +
      "(lifecycle business-document-v1) can only be classified: use `docs classify`. A file is sent " +
      "once: acceptance is not success, so follow the job. Several files, folders (without hidden " +
      "files and links) and globs are sent with one request and job each, and a journal of the run: " +
      "after an interruption, or when files failed, the same command continues and sends no " +
      "accepted file again. It exits with 1 when a file was not accepted or, with --wait, when a " +
      "job failed, and with 8 when a job still ran at the end of the wait.",
    waits: true,
    arguments: [
      { name: "files", description: "Paths of files and folders, or globs", variadic: true },
    ],
    options,
    routes: ["POST /v4/data/documents/upload"],
    examples: [
      verb === "upload"
        ? "svc docs upload plans.pdf --planning-application-id <id>"
        : "svc docs classify letter.pdf --business-request-id <id>",
      `svc docs ${verb} notes.docx --vertical-key planning-portal --workflow-key planning-assistant`,
      verb === "upload"
        ? "svc docs upload scans 'letters/**/*.pdf' --planning-application-id <id> --wait"
        : "svc docs classify inbox --business-request-id <id> --wait",
    ],
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
  await output.data(accepted, () =>
    output.fields([
      ["job", accepted.jobId],
      ["document", accepted.documentId],
      ["number", accepted.documentNumber],
      ["status", accepted.status],
      ["duplicate of", accepted.duplicateOf],
      ...otherFields(accepted, replyMembers("documents.upload")),
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

/** `svc docs upload <files...>`: `processing_mode=full` (spec 4.7). */
export const docsUploadCommand = documentCommand(
  "upload",
  "Upload documents to be classified and indexed",
);
