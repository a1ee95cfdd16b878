import type { UploadAccepted } from "#contract/documents.ts";
import type { CommandContext } from "../context.ts";
import { fileProgress, localFile } from "../local-file.ts";
import { checkUploadScope, uploadMetadata } from "./upload-options.ts";

/** What `docs upload` and `docs classify` share: one request, its progress, its acceptance. */
export async function sendDocument(
  context: CommandContext,
  path: string,
  options: Readonly<Record<string, unknown>>,
  verb: "upload" | "classify",
): Promise<void> {
  const { output, signal } = context;
  const metadata = await uploadMetadata(context, options);
  await checkUploadScope(metadata, verb);
  const workspace = options["tenant-id"];
  const file = await localFile(context, path);
  const client = await context.client({
    workspace: typeof workspace === "string" ? workspace : undefined,
  });
  const outcome = await client.useDocuments()[verb](file, metadata, {
    signal,
    onProgress: fileProgress(context, `Sending ${output.plain(file.filename)}`),
  });
  await output.progress("");
  const accepted: UploadAccepted = await outcome.accepted();
  await output.data(accepted, () =>
    output.fields([
      ["job", accepted.jobId],
      ["document", accepted.documentId],
      ["number", accepted.documentNumber],
      ["status", accepted.status],
      ["duplicate of", accepted.duplicateOf],
    ]),
  );
  if (output.isJson) return;
  const words =
    accepted.duplicateOf === undefined
      ? "Accepted, not yet processed"
      : "The same bytes are there already; nothing is processed again";
  // A line of its own: terminals break long ones in the middle of the ID.
  await output.note(output.tone("dim", `${words}. Follow it:`));
  await output.note(output.tone("dim", `  svc docs job ${accepted.jobId} --wait`));
}
