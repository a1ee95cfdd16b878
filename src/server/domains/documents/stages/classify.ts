import { classify as classifyText } from "../../../text/classification/classify-text.ts";
import { pagesAfter } from "../store/pages.ts";
import { completeStage } from "./stage.ts";
import type { Stage } from "./stage.ts";

/** A document says what it is at its beginning. */
const firstPages = 5;

/** Says what kind of document it is, or that a person has to look. */
export const classify: Stage = async (tools, work) => {
  const pages = await pagesAfter(tools.database.read, work.document, 0, firstPages);
  const { label, confidence, candidates } = classifyText(pages.map(({ text }) => text).join("\n"));
  await completeStage(tools, work, "classify", {
    classification: { label, confidence, candidates },
  });
};
