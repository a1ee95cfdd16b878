import { analyzeFields } from "../../../text/analysis/analyze-fields.ts";
import { firstPages } from "../first-pages.ts";
import { completeStage, type Stage } from "./stage.ts";

/** Finds the fields of the document's type; without a type, values by their labels and forms. */
export const analyze: Stage = async (tools, work) => {
  const { document, job } = work;
  const pages = await firstPages(tools.database.read, document);
  const configured = await tools.understanding?.fields(document, pages, job.signal);
  const fields = configured ?? analyzeFields(pages);
  await completeStage(tools, work, "analyze", { fields }, async (writer) =>
    tools.understanding?.review(writer, document, { fields }),
  );
};
