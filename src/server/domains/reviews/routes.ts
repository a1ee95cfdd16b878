import type { DomainHandlers } from "../../http/handler.ts";
import type { ReviewService } from "./service.ts";

export function reviewHandlers({
  reviews,
}: {
  readonly reviews: ReviewService;
}): DomainHandlers<"reviews"> {
  return {
    list: ({ query }, { workspace }) => reviews.list(workspace.id, query),
    decide: ({ params, body }, { workspace, principal, ifMatch }) =>
      reviews.decide(principal, workspace.id, params.documentId, body, ifMatch),
    history: ({ params, query }, { workspace }) =>
      reviews.history(workspace.id, params.documentId, query),
  };
}
