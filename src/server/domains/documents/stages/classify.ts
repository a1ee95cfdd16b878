import type { JobError } from "../../../jobs/store.ts";
import { pagesAfter } from "../store/page-texts.ts";
import { completeStage, withoutModel, type Stage } from "./stage.ts";

/** The kind of a document shows at its start. */
const firstPages = 5;

/** Finds the kind of a document, or that a person must decide. A user's decision stays. */
export const classify: Stage = async (tools, work) => {
  const { document, job } = work;
  const { understanding } = tools;
  if (understanding === undefined || document.classification?.method === "review") {
    return completeStage(tools, work, "classify");
  }
  const pages = await pagesAfter(tools.database.read, document, 0, firstPages);
  const text = pages.map((page) => page.text).join("\n");
  const classification = await understanding.classify(document, text, job.signal);
  const { modelError } = classification;
  const error: JobError | undefined =
    modelError === undefined ? undefined : withoutModel(modelError, "the label is left");
  const review = { classification };
  await completeStage(
    tools,
    work,
    "classify",
    { classification },
    (writer) => understanding.review(writer, document, review),
    error,
  );
  return error;
};
