import type { DocumentRecord, DocumentReview, ReviewDecision } from "#client/index.ts";
import type { Choice } from "../kit/dialogs/questions.ts";
import { shareWords, valueWords } from "../kit/text/words.ts";
import { useOverlays } from "../shell/overlays/use-overlays.tsx";
import { usePlatform } from "../shell/platform/use-platform.tsx";
import { useNotices } from "../shell/use-notices.tsx";
import { documentName } from "./words.ts";

const reviewsAtMost = 100;
const labelTarget = "label";

interface Target {
  readonly target: string;
  readonly value: string;
  /** The open review; undefined for a part that was sure enough. */
  readonly review: DocumentReview | undefined;
}

/** The label and the fields of a document, those that a user must look at first. */
function targetsOf(document: DocumentRecord, open: readonly DocumentReview[]): Target[] {
  const { classification, fields } = document;
  const best = classification?.candidates?.[0]?.label ?? classification?.label ?? "not classified";
  const all = [
    { target: labelTarget, value: best },
    ...Object.entries(fields ?? {}).map(([name, field]) => ({
      target: `fields.${name}`,
      value: field.value === null ? "missing" : valueWords(field.value),
    })),
  ].map((each) => ({ ...each, review: open.find(({ target }) => target === each.target) }));
  const isOpen = (each: Target): boolean => each.review !== undefined;
  return [...all.filter(isOpen), ...all.filter((each) => !isOpen(each))];
}

function noteOf({ review }: Target): string | undefined {
  if (review === undefined) return undefined;
  return `${shareWords(review.confidence)}, needs ${shareWords(review.threshold)}`;
}

/** Accepts or corrects the label and the fields of a document; refreshes what shows it. */
export function useDocumentReview(onChanged: () => void): (document: DocumentRecord) => void {
  const { client, tenantId } = usePlatform();
  const { say, sayFailure } = useNotices();
  const overlays = useOverlays();

  const decide = (document: DocumentRecord, body: ReviewDecision): void => {
    const { documentId, documentNumber } = document;
    client?.reviews.decide({ tenantId, params: { documentId }, body }).then((decided) => {
      const words = body.action === "accept" ? "accepted" : "corrected";
      say("done", `${words} ${body.target} of ${documentNumber ?? documentName(decided)}`);
      onChanged();
    }, sayFailure);
  };

  const askValue = (document: DocumentRecord, { target, value }: Target): void =>
    overlays.ask({
      title: `The right ${target} of ${documentName(document)}`,
      words: "The value as the document should have it",
      initial: value === "missing" ? "" : value,
      placeholder: "value",
      problemOf: (text) => (text.trim() === "" ? "type the value" : undefined),
      onAnswer: (text) => decide(document, { action: "correct", target, value: text.trim() }),
    });

  const chooseDecision = (document: DocumentRecord, chosen: Target, labels: string[]): void => {
    const { target, value } = chosen;
    const accept: Choice = {
      id: "accept",
      words: `accept ${value}`,
      choose: () => decide(document, { action: "accept", target }),
    };
    const others: Choice[] =
      target === labelTarget
        ? labels
            .filter((label) => label !== value)
            .map((label) => ({
              id: label,
              words: label,
              choose: () => decide(document, { action: "correct", target, value: label }),
            }))
        : [
            { id: "other", words: "another value", choose: () => askValue(document, chosen) },
            {
              id: "none",
              words: "the document does not have it",
              choose: () => decide(document, { action: "correct", target, value: null }),
            },
          ];
    const title = `Review ${target} of ${documentName(document)}`;
    overlays.choose({ title, placeholder: "a decision", choices: [accept, ...others] });
  };

  return (document) => {
    if (client === undefined) return;
    const title = `Review ${documentName(document)}`;
    const { documentId, classification } = document;
    overlays.wait({
      title,
      words: "Loading the reviews",
      ask: async (signal) => {
        const query = { documentId, limit: reviewsAtMost };
        const key = classification?.classifier;
        const [{ items }, classifier] = await Promise.all([
          client.reviews.list({ tenantId, query, signal }),
          typeof key === "string"
            ? client.classifiers.get({ tenantId, params: { classifierKey: key }, signal })
            : undefined,
        ]);
        const labels =
          classifier?.labels?.map((label) => label.key) ??
          (classification?.candidates ?? []).map(({ label }) => label);
        const choices = targetsOf(document, items).map((target): Choice => {
          const words = `${target.target}  ${target.value}`;
          const choose = (): void => chooseDecision(document, target, labels);
          return { id: target.target, words, note: noteOf(target), choose };
        });
        return () => overlays.choose({ title, placeholder: "a label or a field", choices });
      },
    });
  };
}
