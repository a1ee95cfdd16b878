import type { AnyCommand, OptionsInput } from "#cli/command.ts";
import type { UploadAccepted } from "#contract/documents/upload.ts";
import { shellWord } from "#lib/shell-word.ts";
import { command } from "../command.ts";
import type { CommandContext } from "../context.ts";
import { otherFields } from "../output/rows.ts";
import { fileProgress, localFile } from "../input/files.ts";
import { checkUploadScope, uploadMetadata, uploadOptions } from "./upload-options.ts";

type Verb = "upload" | "classify";

/** `svc docs upload` and `svc docs classify`: one request with two processing modes. */
export function documentCommand(verb: Verb, summary: string): AnyCommand<CommandContext> {
  return command({
    path: `docs ${verb}`,
    summary,
    description:
      "The context is a planning application or a business request (with an assessment case, if " +
      "any), or the app and workflow keys of a configured standalone workflow. Business documents " +
      "(lifecycle business-document-v1) can only be classified: use `docs classify`. A file is sent " +
      "once: acceptance is not success, so follow the job.",
    arguments: [{ name: "file", description: "Path of the file" }],
    options: uploadOptions,
    routes: ["POST /v4/data/documents/upload"],
    examples: [
      verb === "upload"
        ? "svc docs upload plans.pdf --planning-application-id <id>"
        : "svc docs classify letter.pdf --business-request-id <id>",
      `svc docs ${verb} notes.docx --vertical-key planning-portal --workflow-key planning-assistant`,
    ],
    run: (input, context) => sendDocument(context, input.arguments.file, input.options, verb),
  });
}

async function sendDocument(
  context: CommandContext,
  path: string,
  options: OptionsInput<typeof uploadOptions>,
  verb: Verb,
): Promise<void> {
  const { output, signal } = context;
  const metadata = await uploadMetadata(context, options);
  await checkUploadScope(metadata, verb);
  const file = await localFile(context, path);
  const client = await context.client({ workspace: options["tenant-id"] });
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

/** `svc docs upload <file>`: `processing_mode=full` (spec 4.7). */
export const docsUploadCommand = documentCommand(
  "upload",
  "Upload a document to be classified and indexed",
);
