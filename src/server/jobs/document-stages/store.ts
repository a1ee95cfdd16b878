import { completeStage, DocumentFailedError } from "./stage.ts";
import type { Stage } from "./stage.ts";

/** The bytes were durable before the upload was accepted; this is the proof that they still are. */
export const store: Stage = async (tools, work) => {
  const { document } = work;
  const found = await tools.blobs.stat(document);
  if (found?.size !== document.size) {
    throw new DocumentFailedError(
      "file-missing",
      "The stored file is missing or incomplete. Upload it again.",
    );
  }
  await completeStage(tools, work, "store");
};
