import { analyzeFields, charactersLookedAt } from "../../../text/analysis/analyze-fields.ts";
import { pagesAfter } from "../store/pages.ts";
import type { PageText } from "../store/pages.ts";
import { completeStage } from "./stage.ts";
import type { Stage, StageTools, StageWork } from "./stage.ts";

const pagesAtATime = 20;

/** Reads the fields out of the text: what labels name, and what its form gives away. */
export const analyze: Stage = async (tools, work) => {
  const fields = analyzeFields(await beginning(tools, work));
  await completeStage(tools, work, "analyze", { fields });
};

async function beginning({ database }: StageTools, { document }: StageWork): Promise<PageText[]> {
  const pages: PageText[] = [];
  let characters = 0;
  for (;;) {
    const last = pages.at(-1)?.number ?? 0;
    const next = await pagesAfter(database.read, document, last, pagesAtATime);
    pages.push(...next);
    characters += next.reduce((sum, page) => sum + page.text.length, 0);
    if (next.length < pagesAtATime || characters >= charactersLookedAt) return pages;
  }
}
