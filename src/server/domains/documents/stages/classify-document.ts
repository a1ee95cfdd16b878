import { classify as classifyText } from "../../../text/classification/classify-text.ts";
import { pagesAfter } from "../store/page-texts.ts";
import { completeStage, type Stage } from "./stage.ts";

/** The kind of a document shows at its start. */
const firstPages = 5;

/** Finds the kind of document, or that a person must decide. */
export const classify: Stage = async (tools, work) => {
  const pages = await pagesAfter(tools.database.read, work.document, 0, firstPages);
  const { label, confidence, candidates } = classifyText(pages.map(({ text }) => text).join("\n"));
  await completeStage(tools, work, "classify", {
    classification: { label, confidence, candidates },
  });
};
