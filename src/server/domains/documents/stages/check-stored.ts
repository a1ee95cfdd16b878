import { completeStage, fileMissing } from "./stage.ts";
import type { Stage } from "./stage.ts";

/** The bytes were durable before the upload was accepted; this is the proof that they still are. */
export const store: Stage = async (tools, work) => {
  const { document } = work;
  const found = await tools.blobs.stat(document);
  if (found?.size !== document.size) {
    throw fileMissing();
  }
  await completeStage(tools, work, "store");
};
