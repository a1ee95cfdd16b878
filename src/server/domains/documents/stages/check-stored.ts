import { completeStage, fileMissing, type Stage } from "./stage.ts";

export const store: Stage = async (tools, work) => {
  const { document } = work;
  const found = await tools.blobs.stat(document);
  if (found?.size !== document.size) throw fileMissing();
  await completeStage(tools, work, "store");
};
