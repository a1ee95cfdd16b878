import { pagesAfter } from "../store/page-texts.ts";
import { completeStage, type Stage } from "./stage.ts";

/** The kind of a document shows at its start. */
const firstPages = 5;

/** Finds the kind of a document, or that a person must decide. */
export const classify: Stage = async (tools, work) => {
  const { document, job } = work;
  const pages = await pagesAfter(tools.database.read, document, 0, firstPages);
  const text = pages.map((page) => page.text).join("\n");
  const classification = await tools.understanding?.classify(document, text, job.signal);
  if (classification === undefined) return completeStage(tools, work, "classify");
  await completeStage(tools, work, "classify", { classification }, async (writer) =>
    tools.understanding?.review(writer, document, { classification }),
  );
};
