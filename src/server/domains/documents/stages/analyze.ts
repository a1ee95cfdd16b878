import { analyzeFields, charactersLookedAt } from "../../../text/analysis/analyze-fields.ts";
import { pagesWithTables, type PageWithTables } from "../store/page-texts.ts";
import { completeStage, type Stage, type StageTools, type StageWork } from "./stage.ts";

const pagesAtATime = 20;

/** Finds the fields of the document's type; without a type, values by their labels and forms. */
export const analyze: Stage = async (tools, work) => {
  const { document, job } = work;
  const pages = await beginning(tools, work);
  const configured = await tools.understanding?.fields(document, pages, job.signal);
  const fields = configured ?? analyzeFields(pages);
  await completeStage(tools, work, "analyze", { fields }, async (writer) =>
    tools.understanding?.review(writer, document, { fields }),
  );
};

async function beginning(
  { database }: StageTools,
  { document }: StageWork,
): Promise<PageWithTables[]> {
  const pages: PageWithTables[] = [];
  let characters = 0;
  for (;;) {
    const last = pages.at(-1)?.number ?? 0;
    const next = await pagesWithTables(database.read, document, last, pagesAtATime);
    pages.push(...next);
    characters += next.reduce((sum, page) => sum + page.text.length, 0);
    if (next.length < pagesAtATime || characters >= charactersLookedAt) return pages;
  }
}
