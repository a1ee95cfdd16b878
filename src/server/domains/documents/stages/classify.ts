import type { JobError } from "../../../jobs/store.ts";
import { openingText } from "../service.ts";
import { completeStage, withoutModel, type Stage } from "./stage.ts";

/** Finds the kind of a document, or that a person must decide. A user's decision stays. */
export const classify: Stage = async (tools, work) => {
  const { document, job } = work;
  const { understanding } = tools;
  if (understanding === undefined || document.classification?.method === "review") {
    return completeStage(tools, work, "classify");
  }
  const text = await openingText(job.work.read, document);
  const classification = await understanding.classify(job.work, document, text, job.signal);
  const { modelError } = classification;
  const error: JobError | undefined =
    modelError === undefined ? undefined : withoutModel(modelError, "the label is left");
  const review = { classification };
  await completeStage(
    tools,
    work,
    "classify",
    { classification },
    (tx) => understanding.review(tx, document, review),
    error,
  );
  return error;
};
