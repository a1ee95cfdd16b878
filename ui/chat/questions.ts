import type { DocumentRecord } from "#client/index.ts";
import { clipMiddle, textWidth } from "../kit/text/text-layout.ts";

/** A question that the documents of a workspace can answer. */
export interface SuggestedQuestion {
  readonly document: DocumentRecord;
  readonly text: string;
  /** The question in at most so many columns: the middle of the document's name goes first. */
  readonly within: (width: number) => string;
}

const maximumQuestions = 8;
/** Columns of a document's name that are kept in any case. */
const leastName = 12;

/** One question for each document: about a field that was found in it, else about its content. */
export function suggestedQuestions(documents: readonly DocumentRecord[]): SuggestedQuestion[] {
  return documents
    .filter(({ pages }) => pages === undefined || pages === null || pages > 0)
    .slice(0, maximumQuestions)
    .map((document) => {
      const name = document.filename ?? document.documentNumber ?? document.documentId;
      const fields = Object.entries(document.fields ?? {});
      const known = fields.filter(([, { value }]) => value !== null);
      // A date or an amount is asked for more often than a reference.
      const found = known.find(([, { value }]) => /^[£$€]?\d[\d.,:TZ-]*$/.test(String(value)));
      const field = (found ?? known[0])?.[0]
        .replaceAll(/[_.]/g, " ")
        .replaceAll(/([a-z])([A-Z])/g, "$1 $2");
      const about = (subject: string): string =>
        field === undefined
          ? `Which points does ${subject} make?`
          : `Find the ${field.toLowerCase()} in ${subject}`;
      const within = (width: number): string => {
        const room = width - textWidth(about(""));
        return about(clipMiddle(name, Math.max(leastName, room)));
      };
      return { document, text: about(name), within };
    });
}
