import { key, keyGroup } from "../kit/keys/keys.ts";
import { because, firstOf, needs, row, staff } from "../kit/keys/reasons.ts";
import type { ShellKeys, TextFacts } from "../shell/keys.ts";

/** Facts of the document that is read. */
export interface ReaderFacts extends TextFacts {
  /** Why the picture of the page is not shown. */
  readonly noPicture?: string | undefined;
}

const picture = because(({ noPicture }: ReaderFacts) => noPicture);
const reviews = firstOf(row, needs("reviews.decide", "tenant-staff"));

export const documentKeys = keyGroup({
  nextPage: key("n", "place", "next page", { footer: 25 }),
  previousPage: key("p", "place", "previous page", { footer: 26 }),
  find: key("/", "place", "find", { footer: 38 }),
  goToPage: key("#", "place", "go to a page", { footer: 39 }),
  picture: key("i", "place", "picture", { footer: 33, disabledReason: picture }),
  outline: key("o", "place", "headings", { footer: 40 }),
  ask: key("a", "place", "ask about it", { footer: 35, disabledReason: firstOf(row, staff) }),
  review: key("V", "place", "review", { footer: 34, disabledReason: reviews }),
  reviewQueue: key("Q", "place", "all reviews", { footer: 36 }),
  acceptReview: key("A", ["pane", "place"], "accept", { footer: 11, disabledReason: reviews }),
  correctReview: key("e", ["pane", "place"], "correct", { footer: 12, disabledReason: reviews }),
  goDocuments: key("2", "global", "documents"),
});

export type DocumentKeys = typeof documentKeys & ShellKeys;
