import type { DomainHandlers, WorkspaceContext } from "../../http/handler.ts";
import type { Marks } from "./service.ts";

export function markHandlers({ marks }: { readonly marks: Marks }): DomainHandlers<"marks"> {
  const personOf = ({ principal: { oid }, workspace }: WorkspaceContext) => ({ oid, workspace });
  return {
    async list({ query }, context) {
      const items = await marks.list(context.work, personOf(context), query.place);
      return { items, hasNextPage: false };
    },
    set: ({ body }, context) => marks.set(context.work, personOf(context), body),
  };
}
