import type { DocumentReview } from "#client/index.ts";
import { counted } from "#lib/text/counted.ts";
import { keyName } from "../kit/keys/keys.ts";
import { useKeyOffer } from "../kit/keys/use-keys.ts";
import { headingRow, homeRow, type HomePart } from "../shell/home/home-rows.ts";
import { shellKeys } from "../shell/keys.ts";
import { useAnswer } from "../shell/platform/use-answer.ts";
import { useRouter } from "../shell/router.ts";
import { useUploads } from "../shell/use-uploads.ts";
import { documentKeys } from "./keys.ts";
import { useDocumentCount } from "./use-documents.ts";

const readReviews = 100;

function reviewWords(reviews: readonly DocumentReview[]): string {
  const more = reviews.length === readReviews ? " or more" : "";
  const documents = new Set(reviews.map(({ documentId }) => documentId)).size;
  return `${counted(reviews.length, "field")}${more} in ${counted(documents, "document")}`;
}

/** The labels and fields that a user must look at; the first step is an upload. */
export function useReviewHome(): HomePart {
  const { go } = useRouter();
  const uploads = useUploads();
  const documents = useDocumentCount();
  const offer = useKeyOffer();
  const { value } = useAnswer<readonly DocumentReview[]>(
    ["reviews.list", undefined, "home"],
    async (client, signal, tenantId) =>
      (await client.reviews.list({ tenantId, query: { limit: readReviews }, signal })).items,
    { shown: true },
  );
  const queue = headingRow("Reviews", {
    id: "reviews",
    right: [
      value === undefined || value.length === 0
        ? { text: " none ", as: "quiet" }
        : { text: ` ${reviewWords(value)} `, as: "warn" },
      { text: `${keyName(documentKeys.reviewQueue)} `, as: "key" },
    ],
    open: () => go({ place: "documents", queue: true }),
    command: [["docs", "review", "list"]],
    handlers: { reviewQueue: () => go({ place: "documents", queue: true }) },
  });
  const step = homeRow({
    id: "step documents",
    left: [{ text: `   ${offer(shellKeys.upload, "uploads a document")}` }],
    open: uploads.start,
    handlers: { upload: uploads.start },
    command: [["docs", "upload"]],
  });
  return {
    isUrgent: true,
    rows: value === undefined ? [] : [queue],
    isFilled: documents === undefined ? undefined : documents > 0,
    step,
  };
}
