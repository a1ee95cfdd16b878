import { renderGroup } from "./figures.ts";
import { classifierQuality } from "./quality/classifier.ts";
import { extractionQuality } from "./quality/extraction.ts";
import { foundColumns, foundTexts } from "./quality/found-texts.ts";
import { askedQuestions, questionColumns } from "./quality/questions.ts";
import { invoiceFields } from "./quality/invoices.ts";
import { recognitionQuality } from "./quality/recognition.ts";
import { retrieval, retrievalColumns } from "./quality/retrieval.ts";
import { scannedInvoiceFields } from "./quality/scanned-invoices.ts";

/**
 * Prints how well the platform reads, classifies, finds and answers, next to libraries; with a
 * folder of questions (JSON of SQuAD, e.g. XQuAD) only how well those are answered.
 */
export async function benchQuality(directory: string, questions?: string): Promise<void> {
  if (questions !== undefined) {
    const rows = await askedQuestions(directory, questions);
    const columns = questionColumns;
    return console.log(`${renderGroup({ name: "questions of a set", columns }, rows)}\n`);
  }
  const extraction = extractionQuality();
  console.log(`${renderGroup(extraction, await extraction.measure())}\n`);
  const recognition = recognitionQuality(directory);
  console.log(`${renderGroup(recognition, await recognition.measure())}\n`);
  const classifier = classifierQuality();
  console.log(`${renderGroup(classifier, await classifier.measure())}\n`);
  const invoices = invoiceFields();
  console.log(`${renderGroup(invoices, await invoices.measure())}\n`);
  const scanned = scannedInvoiceFields(directory);
  console.log(`${renderGroup(scanned, await scanned.measure())}\n`);
  const sets = { name: "texts by their descriptions", columns: foundColumns };
  console.log(`${renderGroup(sets, await foundTexts(directory))}\n`);
  const { found, answers } = await retrieval(directory);
  const pages = { name: "manual pages by their descriptions", columns: retrievalColumns };
  console.log(`${renderGroup(pages, found)}\n`);
  console.log(`${renderGroup({ name: "answers of quotes", columns: ["share"] }, answers)}\n`);
}
