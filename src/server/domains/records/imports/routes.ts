import { Answer, type DomainHandlers, type WorkspaceContext } from "../../../http/handler.ts";
import type { ResourceService } from "../service.ts";
import type { ImportKey } from "./import-store.ts";

export function importHandlers({
  resources: { imports },
}: {
  readonly resources: ResourceService;
}): DomainHandlers<"imports"> {
  return {
    async start({ params, body }, context) {
      const { isNew, progress } = await imports.start(context.work, keyOf(context, params), body);
      return new Answer(progress, { status: isNew ? 201 : 200 });
    },
    get: ({ params }, context) =>
      imports.get(context.work, keyOf(context, params), params.importId),
    async rows({ params, body }, context) {
      const mayRead = context.workspace.permissions?.has("resources.get") !== false;
      const key = { ...keyOf(context, params), mayRead };
      const answer = await imports.rows(context.work, key, params.importId, body);
      return new Answer(answer, { status: answer.failed === 0 ? 200 : 207 });
    },
  };
}

function keyOf(
  { workspace, principal }: WorkspaceContext,
  { objectType }: { readonly objectType: string },
): ImportKey {
  return { workspaceId: workspace.id, slug: objectType, oid: principal.oid };
}
