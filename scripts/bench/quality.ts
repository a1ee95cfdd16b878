import { renderGroup } from "./figures.ts";
import { classifierQuality } from "./quality/classifier.ts";
import { retrieval, retrievalColumns } from "./quality/retrieval.ts";

/** Prints how well the platform classifies, finds and answers, next to libraries in one run. */
export async function benchQuality(directory: string): Promise<void> {
  const classifier = classifierQuality();
  console.log(`${renderGroup(classifier, await classifier.measure())}\n`);
  const { found, answers } = await retrieval(directory);
  const pages = { name: "manual pages by their descriptions", columns: retrievalColumns };
  console.log(`${renderGroup(pages, found)}\n`);
  console.log(`${renderGroup({ name: "answers of quotes", columns: ["share"] }, answers)}\n`);
}
