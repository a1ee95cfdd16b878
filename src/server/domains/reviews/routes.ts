import type { DomainHandlers } from "../../http/handler.ts";
import type { ReviewService } from "./service.ts";

export function reviewHandlers({
  reviews,
}: {
  readonly reviews: ReviewService;
}): DomainHandlers<"reviews"> {
  return {
    list: ({ query }, { work, workspace }) => reviews.list(work, workspace.id, query),
    decide: ({ params, body }, { work, workspace, ifMatch }) =>
      reviews.decide(work, workspace.id, params.documentId, body, ifMatch),
    history: ({ params, query }, { work, workspace }) =>
      reviews.history(work, workspace.id, params.documentId, query),
  };
}
