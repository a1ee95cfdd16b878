import type { DocumentRecord, DocumentReview, ReviewDecision } from "#client/index.ts";
import type { LiveList } from "../kit/lists/live-list.ts";
import type { Choice } from "../kit/dialogs/questions.ts";
import { useOverlays } from "../shell/overlays/overlays.ts";
import { useAnswer, type LiveAnswer } from "../shell/platform/use-answer.ts";
import { useList } from "../shell/platform/use-list.ts";
import { usePlatform } from "../shell/platform/use-platform.ts";
import { useNotices } from "../shell/notices.ts";
import { labelTarget } from "./marks.ts";

const reviewsOfDocument = 100;

function reviewKey({ documentId, target }: DocumentReview): string {
  return `${documentId} ${target}`;
}

/** The open reviews of all documents, the oldest first. */
export function useReviews(height: number): LiveList<DocumentReview> {
  return useList<DocumentReview>(
    ["reviews.list"],
    (client, { page, cursor, limit, count, signal }, tenantId) =>
      client.reviews.list({
        tenantId,
        signal,
        query: { page, cursor, limit, ...(count ? { count } : {}) },
      }),
    { keyOf: reviewKey, height },
  );
}

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

/** A label or a field that a user decides about. */
export interface Subject {
  readonly documentId: string;
  /** The document, for people. */
  readonly name: string;
  readonly target: string;
  readonly value: string;
}

export function reviewValue({ found, kind }: DocumentReview): string {
  const { label, value, candidates } = found ?? {};
  // Below its threshold the label itself is that of an undecided document.
  const [best] = Array.isArray(candidates) ? (candidates as { label?: unknown }[]) : [];
  const shown = kind === labelTarget ? (best?.label ?? label ?? value) : (value ?? label);
  if (shown === null || shown === undefined) return "missing";
  return typeof shown === "object" ? JSON.stringify(shown) : String(shown as string | number);
}

/** Accepts or corrects labels and fields; `onDecided` follows. */
export function useDecisions(onDecided: (subject: Subject) => void) {
  const { client, tenantId } = usePlatform();
  const { say, sayFailure } = useNotices();
  const overlays = useOverlays();

  const decide = (subject: Subject, body: ReviewDecision): void => {
    const { documentId, name } = subject;
    client?.reviews.decide({ tenantId, params: { documentId }, body }).then(() => {
      say("done", `${body.action}ed ${body.target} of ${name}`);
      onDecided(subject);
    }, sayFailure);
  };

  const correctTo = (subject: Subject, value: string | null): void =>
    decide(subject, { action: "correct", target: subject.target, value });

  const chooseLabel = (subject: Subject): void => {
    const title = `The right label of ${subject.name}`;
    const { documentId } = subject;
    overlays.wait({
      title,
      words: "Loading the labels",
      ask: async (signal) => {
        const labels = await labelsOf(documentId, signal);
        const choices = labels
          .filter((label) => label !== subject.value)
          .map((label): Choice => ({
            id: label,
            words: label,
            choose: () => correctTo(subject, label),
          }));
        return () => overlays.choose({ title, placeholder: "a label", choices });
      },
    });
  };

  const labelsOf = async (documentId: string, signal: AbortSignal): Promise<readonly string[]> => {
    if (client === undefined) return [];
    const documents = client.useDocuments(tenantId);
    const { classification }: DocumentRecord = await documents.record(documentId, { signal });
    const key = classification?.classifier;
    const known = (classification?.candidates ?? []).map(({ label }) => label);
    if (typeof key !== "string") return known;
    const params = { classifierKey: key };
    const { labels } = await client.classifiers.get({ tenantId, params, signal });
    return labels?.map((label) => label.key) ?? known;
  };

  const askValue = (subject: Subject): void => {
    const { name, target, value } = subject;
    const title = `The right ${target.replace("fields.", "")} of ${name}`;
    const ask = (): void =>
      overlays.ask({
        title,
        words: "The value as the document has it",
        initial: value === "missing" ? "" : value,
        placeholder: "value",
        onAnswer: (text) => correctTo(subject, text),
      });
    const none = (): void => correctTo(subject, null);
    overlays.choose({
      title,
      placeholder: "a decision",
      choices: [
        { id: "other", words: "another value", choose: ask },
        { id: "none", words: "the document does not have it", choose: none },
      ],
    });
  };

  return {
    accept: (subject: Subject) => decide(subject, { action: "accept", target: subject.target }),
    correct: (subject: Subject) =>
      subject.target === labelTarget ? chooseLabel(subject) : askValue(subject),
  };
}
