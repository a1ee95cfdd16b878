import type { DocumentRecord } from "#client/index.ts";
import { textField } from "../kit/input/text-field.ts";
import { keyName } from "../kit/keys/keys.ts";
import { headingRow, homeRow, type HomePart } from "../shell/home/home-rows.ts";
import { useAnswer } from "../shell/platform/use-answer.ts";
import { useRouter } from "../shell/router.ts";
import { chatKeys } from "./keys.ts";
import { suggestedQuestions } from "./questions.ts";
import { useSuggestion } from "./use-question-field.ts";

const readDocuments = 12;
const shownQuestions = 3;
const marginAndQuotes = 6;

/** Questions that the newest documents can answer; Enter opens the chat with one. */
export function useQuestionHome(): HomePart {
  const { go } = useRouter();
  const suggest = useSuggestion();
  const { value } = useAnswer<readonly DocumentRecord[]>(
    ["documents.list", undefined, "home"],
    async (client, signal, tenantId) =>
      (await client.useDocuments(tenantId).list({ limit: readDocuments, signal })).items,
    { shown: true },
  );
  const questions = suggestedQuestions(value ?? []);
  if (questions.length === 0) return { rows: [] };
  const rows = questions.map(({ document, text, within }) => {
    const { documentId, filename = documentId } = document;
    return homeRow({
      id: `question ${documentId}`,
      left: (width) => [{ text: `   “${within(width - marginAndQuotes)}”` }],
      open: () => {
        suggest(textField(text));
        go({ place: "chat", subjects: [{ documentId, name: filename }] });
      },
      command: [["chat", "send", text]],
    });
  });
  const heading = headingRow("Ask", {
    id: "ask",
    right: [
      { text: ` ${keyName(chatKeys.goChat)} `, as: "key" },
      { text: "your own question ", as: "quiet" },
    ],
    open: () => go({ place: "chat" }),
  });
  return { rows: [heading, ...rows.slice(0, shownQuestions)], more: rows.slice(shownQuestions) };
}
