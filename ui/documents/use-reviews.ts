import type { Client, DocumentRecord, DocumentReview } from "#client/index.ts";
import type { Choice } from "../kit/dialogs/questions.ts";
import { useAct, type PlaceList } from "../kit/places/action.ts";
import { useNotices } from "../shell/notices.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";
import { useAnswer, type LiveAnswer } from "../shell/platform/use-answer.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useRouter } from "../shell/router.ts";
import { reviewDecision, type ReviewSubject } from "./actions.ts";
import { foundWords, labelTarget, missingValue } from "./marks.ts";

const reviewsOfDocument = 100;

/** The open reviews of all documents, the oldest first. */
export const reviewList: PlaceList<DocumentReview> = {
  question: "reviews.list",
  keyOf: ({ documentId, target }) => `${documentId} ${target}`,
  ask: (client, { tenantId, signal, query }) => client.reviews.list({ tenantId, signal, query }),
};

/** The open reviews of one document. */
export function useReviewsOf(documentId: string): LiveAnswer<readonly DocumentReview[]> {
  return useAnswer<readonly DocumentReview[]>(
    ["reviews.list", documentId],
    async (client, signal, tenantId) => {
      const query = { documentId, limit: reviewsOfDocument };
      return (await client.reviews.list({ tenantId, query, signal })).items;
    },
    { shown: true },
  );
}

export function reviewValue({ found, kind }: DocumentReview): string {
  const { label, value, candidates } = found ?? {};
  // Below its threshold the label itself is that of an undecided document.
  const [best] = Array.isArray(candidates) ? (candidates as { label?: unknown }[]) : [];
  const shown = kind === labelTarget ? (best?.label ?? label ?? value) : (value ?? label);
  if (shown === null || shown === undefined) return missingValue;
  return typeof shown === "object" ? JSON.stringify(shown) : String(shown as string | number);
}

/** The found value for a reader. */
export function reviewWords(review: DocumentReview): string {
  const value = reviewValue(review);
  const isFound = review.kind !== labelTarget && value !== missingValue;
  return isFound ? foundWords(review.found?.value ?? value) : value;
}

/** The labels of the classifier that labelled a document, else the candidates so far. */
async function labelsOf(documentId: string, link: LabelLink): Promise<readonly string[]> {
  const { client, tenantId, signal } = link;
  const documents = client.useDocuments(tenantId);
  const { classification }: DocumentRecord = await documents.record(documentId, { signal });
  const key = classification?.classifier;
  const known = (classification?.candidates ?? []).map(({ label }) => label);
  if (typeof key !== "string") return known;
  const params = { classifierKey: key };
  const { labels } = await client.classifiers.get({ tenantId, params, signal });
  return labels?.map((label) => label.key) ?? known;
}

/** Returns a function that opens the document with the oldest open review. */
export function useNextReview(): () => void {
  const { client, tenantId } = usePlatform();
  const { replace } = useRouter();
  const { say, sayFailure } = useNotices();
  return () => {
    client?.reviews.list({ tenantId, query: { limit: 1 } }).then(({ items: [next] }) => {
      if (next === undefined) say("note", "No other document is to review");
      else replace({ place: "documents", documentId: next.documentId, review: "" });
    }, sayFailure);
  };
}

interface LabelLink {
  readonly client: Client;
  readonly tenantId: string | undefined;
  readonly signal: AbortSignal;
}

/** Accepts or corrects labels and fields; `onDecided` follows. */
export function useDecisions(onDecided: () => void) {
  const { client, tenantId } = usePlatform();
  const act = useAct();
  const overlays = useOverlays();

  const correctTo = (subject: ReviewSubject, value: string | null): void => {
    const body = { action: "correct" as const, target: subject.target, value };
    act(reviewDecision, { subject, body }, onDecided);
  };

  const accept = (subject: ReviewSubject): void => {
    const body = { action: "accept" as const, target: subject.target };
    act(reviewDecision, { subject, body }, onDecided);
  };

  const chooseLabel = (subject: ReviewSubject): void => {
    const title = `The right label of ${subject.name}`;
    const { documentId } = subject;
    overlays.wait({
      title,
      words: "Loading the labels",
      ask: async (signal) => {
        const labels =
          client === undefined ? [] : await labelsOf(documentId, { client, tenantId, signal });
        const choices = labels.map((label): Choice => {
          const isCurrent = label === subject.value;
          const choose = () => (isCurrent ? accept(subject) : correctTo(subject, label));
          return { id: label, words: label, isCurrent, choose };
        });
        return () => overlays.choose({ title, placeholder: "a label", choices });
      },
    });
  };

  const askValue = (subject: ReviewSubject): void => {
    const { name, target, value } = subject;
    const title = `The right ${target.replace("fields.", "")} of ${name}`;
    const ask = (): void =>
      overlays.ask({
        title,
        words: "The value as the document has it",
        initial: value === missingValue ? "" : value,
        placeholder: "value",
        onAnswer: (text) => correctTo(subject, text),
      });
    const none = (): void => correctTo(subject, null);
    overlays.choose({
      title,
      placeholder: "a decision",
      choices: [
        { id: "other", words: "another value", choose: ask },
        {
          id: "none",
          words: "the document does not have it",
          isCurrent: value === missingValue,
          choose: none,
        },
      ],
    });
  };

  return {
    accept,
    correct: (subject: ReviewSubject) =>
      subject.target === labelTarget ? chooseLabel(subject) : askValue(subject),
  };
}
