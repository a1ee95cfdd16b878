import {
  batchOfCreation,
  batchOfDeletion,
  batchOfUpdate,
  type BatchAnswer,
} from "#contract/resources/batch.ts";
import { chained } from "../../kit/promisable.ts";
import {
  Answer,
  type AnswerOptions,
  type DomainHandlers,
  type WorkspaceContext,
} from "../../http/handler.ts";
import { versionTag } from "../../http/response/entity-tag.ts";
import type { WriteScope } from "./write/write-unit.ts";
import type { ResourceFiles } from "./files/files.ts";
import type { MadeRecord, ResourceService } from "./service.ts";
import { fileHandlers } from "./files/routes.ts";

/** The most frequent routes, which the reading threads answer too. */
export function threadHandlers(
  resources: ResourceService,
): Pick<DomainHandlers<"resources">, "list" | "get" | "create"> {
  return {
    list: async ({ params, query }, context) =>
      new Answer(await resources.listText(context.workspace.id, params.objectType, query, context)),
    get: ({ params: { objectType, id }, query }, context) => {
      const { workspace } = context;
      if (query.version !== undefined) {
        return resources.getVersion(workspace.id, objectType, id, query.version, context.signal);
      }
      return chained(
        resources.getText(workspace.id, objectType, id),
        ({ text, version }) => new Answer(text, { headers: { etag: versionTag(version) } }),
      );
    },
    create: async ({ params, body }, context) => {
      const { workspace, principal } = context;
      let options: AnswerOptions | undefined;
      // Used twice: for the idempotency key and for the response.
      const optionsOf = ({ id, version }: MadeRecord): AnswerOptions =>
        (options ??= {
          headers: {
            location: placeOf(workspace.id, params.objectType, id),
            etag: versionTag(version),
          },
        });
      const made = await resources.create(
        principal,
        workspace.id,
        params.objectType,
        body,
        (record) => context.remember(record.text, optionsOf(record)),
      );
      return new Answer(made.text, optionsOf(made));
    },
  };
}

export function resourceHandlers({
  resources,
  files,
}: {
  readonly resources: ResourceService;
  readonly files: ResourceFiles;
}): DomainHandlers<"resources"> {
  return {
    ...threadHandlers(resources),
    ...fileHandlers(files),
    history: ({ params, query }, { workspace, signal }) =>
      resources.history(workspace.id, params.objectType, params.id, query, signal),
    update: ({ params, body }, { workspace, principal, ifMatch }) =>
      resources.update(principal, workspace.id, params.objectType, {
        id: params.id,
        ...body,
        ifMatch,
      }),
    delete: async ({ params }, { workspace, principal, ifMatch }) => {
      await resources.delete(principal, workspace.id, params.objectType, params.id, ifMatch);
      return undefined;
    },
    query: ({ body }, { workspace, signal }) => resources.queries.run(workspace.id, body, signal),
    search: ({ body }, { workspace, signal }) => resources.search.run(workspace.id, body, signal),
    aggregate: ({ params, body }, { workspace, signal }) =>
      resources.aggregate(workspace.id, params.objectType, body, signal),
    executeAction: ({ params, body }, context) =>
      resources.actions.execute(
        {
          ...body,
          oid: context.principal.oid,
          workspace: context.workspace,
          slug: params.objectType,
          id: params.id,
          action: params.action,
          ifMatch: context.ifMatch,
        },
        (resource) => context.remember(resource),
      ),
    batchCreate: async ({ params, body }, context) =>
      answerOf(
        await resources.batch.create(scopeOf(context, params), batchOfCreation(body), (answer) =>
          context.remember(answer, answerOf(answer).options),
        ),
      ),
    batchUpdate: async ({ params, body }, context) =>
      answerOf(await resources.batch.update(scopeOf(context, params), batchOfUpdate(body))),
    batchDelete: async ({ params, body }, context) =>
      answerOf(await resources.batch.delete(scopeOf(context, params), batchOfDeletion(body))),
  };
}

function scopeOf(
  { principal, workspace }: WorkspaceContext,
  { objectType }: { readonly objectType: string },
): WriteScope {
  return { principal, workspaceId: workspace.id, slug: objectType };
}

/** 207 (RFC 4918) tells a client that reads only the status to look at the items. */
function answerOf(answer: BatchAnswer): Answer<BatchAnswer> {
  return new Answer(answer, { status: answer.failed === 0 ? 200 : 207 });
}

function placeOf(workspaceId: string, slug: string, id: string): string {
  return `/v4/data/resources/${workspaceId}/${encodeURIComponent(slug)}/${id}`;
}
