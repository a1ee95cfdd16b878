import { bodyStream } from "../../http/body/body-stream.ts";
import { contentResponse } from "../../files/content-response.ts";
import type { DomainHandlers, WorkspaceContext } from "../../http/handler.ts";
import type { ArchivePlace } from "./archive-place.ts";
import type { Archives } from "./service.ts";

export function archiveHandlers({
  archives,
}: {
  readonly archives: Archives;
}): DomainHandlers<"archives"> {
  return {
    list: ({ query }, context) => archives.list(context.work, placeIn(context), query),
    create: ({ body }, context) => archives.create(context.work, placeIn(context), body),
    get: ({ params }, context) => archives.get(context.work, placeIn(context), params.archiveId),
    async content({ params }, context) {
      context.mayTakeLong();
      const content = await archives.content(context.work, placeIn(context), params.archiveId);
      return contentResponse(content, context.headers);
    },
    async remove({ params }, context) {
      await archives.remove(context.work, placeIn(context), params.archiveId);
      return undefined;
    },
    import: ({ request }, context) =>
      archives.imports.start(context.work, placeIn(context), {
        content: bodyStream(request, archives.imports.limitBytes),
        signal: context.signal,
      }),
    importJob: ({ params }, context) =>
      archives.imports.get(context.work, placeIn(context), params.importId),
  };
}

function placeIn({ workspace, principal }: WorkspaceContext): ArchivePlace {
  return { workspaceId: workspace.id, oid: principal.oid };
}
