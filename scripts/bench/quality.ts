import { renderGroup } from "./figures.ts";
import { retrieval, retrievalColumns } from "./quality/retrieval.ts";

/** Prints how well the platform finds and answers, next to a library in the same run. */
export async function benchQuality(directory: string): Promise<void> {
  const { found, answers } = await retrieval(directory);
  const pages = { name: "manual pages by their descriptions", columns: retrievalColumns };
  console.log(`${renderGroup(pages, found)}\n`);
  console.log(`${renderGroup({ name: "answers of quotes", columns: ["share"] }, answers)}\n`);
}
