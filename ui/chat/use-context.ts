import type { DocumentRecord } from "#client/index.ts";
import { given } from "#lib/given.ts";
import type { Choice, ChoicePage } from "../kit/dialogs/questions.ts";
import { useNotices } from "../shell/notices.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import type { ChatSubject } from "../shell/router.ts";
import { mostSubjects, type ChatSession } from "./chat-session.ts";

const listed = 50;

function subjectOf({ documentId, filename, documentNumber }: DocumentRecord): ChatSubject {
  return { documentId, name: filename ?? documentNumber ?? documentId };
}

/**
 * Returns a function that lets the user choose the documents of the questions: those that are
 * chosen come first, then those of the workspace, newest first. It opens again after each choice.
 */
export function useContext(session: ChatSession): () => void {
  const { client, tenantId } = usePlatform();
  const { say } = useNotices();
  const overlays = useOverlays();

  const choiceOf = (subject: ChatSubject, isChosen: boolean, isFull: boolean): Choice => ({
    id: subject.documentId,
    words: subject.name,
    note: isChosen ? "removes it" : "adds it",
    isCurrent: isChosen,
    ...(isFull && !isChosen
      ? { reason: `a question is about at most ${mostSubjects} documents` }
      : {}),
    choose: () => {
      if (isChosen) session.forgetSubjects(subject.documentId);
      else session.askAbout([subject]);
      show();
    },
  });

  const page = async (signal: AbortSignal, cursor?: string): Promise<ChoicePage> => {
    const { subjects } = session.get();
    const isFull = subjects.length >= mostSubjects;
    const chosen = new Set(subjects.map(({ documentId }) => documentId));
    const query = { limit: listed, signal, ...given({ cursor }) };
    const answer = await client?.useDocuments(tenantId).list(query);
    const others = (answer?.items ?? []).map(subjectOf);
    const first = cursor === undefined ? subjects.map((one) => choiceOf(one, true, isFull)) : [];
    const next = answer?.nextCursor || undefined;
    const choices = [
      ...first,
      ...others
        .filter(({ documentId }) => !chosen.has(documentId))
        .map((one) => choiceOf(one, false, isFull)),
    ];
    const more = (again: AbortSignal) => page(again, next);
    return next === undefined ? { choices } : { choices, more };
  };

  const show = (): void =>
    overlays.wait({
      title: "Documents to ask",
      words: "Loading the documents",
      ask: async (signal) => {
        const first = await page(signal);
        if (first.choices.length === 0) return () => say("note", "The workspace has no document");
        return () =>
          overlays.choose({ title: "Documents to ask", placeholder: "a file name", ...first });
      },
    });

  return show;
}
