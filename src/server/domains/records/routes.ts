import {
  batchOfCreation,
  batchOfDeletion,
  batchOfOperations,
  batchOfUpdate,
  type BatchAnswer,
} from "#contract/resources/batch.ts";
import type { ListBody } from "#contract/lists.ts";
import type { Resource } from "#contract/resources/resources.ts";
import { chained } from "../../kit/promisable.ts";
import { Answer, type DomainHandlers, type WorkspaceContext } from "../../http/handler.ts";
import { versionTag } from "../../http/response/entity-tag.ts";
import { JsonText, textInParts } from "../../kit/lists/json-text.ts";
import type { WriteScope } from "./write/write-unit.ts";
import type { ResourceFiles } from "./files/files.ts";
import type { MadeRecord, ResourceService } from "./service.ts";
import type { Erasures } from "../erasures/service.ts";
import { fileHandlers } from "./files/routes.ts";

/** The most frequent routes, which the reading threads answer too. */
export function threadHandlers(
  resources: ResourceService,
): Pick<DomainHandlers<"resources">, "list" | "get" | "create"> {
  return {
    list: async ({ params, query }, context) => {
      const { work, workspace } = context;
      const { objectType } = params;
      const pieces = await resources.listText(work, workspace.id, objectType, query, context);
      const text: JsonText<ListBody<Resource>> = new JsonText(...pieces);
      // The tag of one part is made with the response.
      return new Answer(text.parts.length === 1 ? text : await text.tagged(workspace.id));
    },
    get: ({ params: { objectType, id }, query }, context) => {
      const { work, workspace } = context;
      if (query.version !== undefined || query.expand !== undefined) {
        const place = { workspaceId: workspace.id, slug: objectType, id };
        return resources.getSelected(work, place, query, context.signal);
      }
      return chained(
        resources.getText(work, workspace.id, objectType, id, query.fields),
        ({ text, version }) =>
          new Answer(new JsonText(text), { headers: { etag: versionTag(version) } }),
      );
    },
    create: async ({ params: { objectType }, body }, { work, workspace }) => {
      let answer: Answer<Resource> | undefined;
      const answerTo = (made: MadeRecord): Answer<Resource> =>
        (answer ??= creationOf(workspace.id, objectType, made));
      const made = await resources.create(work, workspace.id, objectType, body, (record, facts) => {
        const { body, options } = answerTo(record);
        facts.remember(body, options);
      });
      return answerTo(made);
    },
  };
}

export function resourceHandlers({
  resources,
  files,
  erasures,
}: {
  readonly resources: ResourceService;
  readonly files: ResourceFiles;
  readonly erasures: Erasures;
}): DomainHandlers<"resources"> {
  return {
    ...threadHandlers(resources),
    ...fileHandlers(files),
    ...deletionHandlers(resources, erasures),
    history: ({ params, query }, context) =>
      resources.history(
        context.work,
        { ...scopeOf(context, params), id: params.id },
        query,
        context.signal,
      ),
    update: ({ params, body }, { work, workspace, ifMatch }) =>
      resources.update(work, workspace.id, params.objectType, { id: params.id, ...body, ifMatch }),
    patch: ({ params, body }, { work, workspace, ifMatch }) =>
      resources.patch(work, workspace.id, params.objectType, { id: params.id, ...body, ifMatch }),
    upsert: async ({ params: { objectType, property, value }, body }, { work, workspace }) => {
      const scope = { workspaceId: workspace.id, slug: objectType };
      const upserted = await resources.upserts.run(work, scope, { property, value, ...body });
      return upserted.isNew
        ? creationOf(workspace.id, objectType, upserted.made)
        : upserted.resource;
    },
    query: async ({ body }, { work, workspace: { id }, signal }) =>
      new Answer(
        await textInParts(id, "items", await resources.queries.run(work, id, body, signal)),
      ),
    search: async ({ body }, { work, workspace: { id }, signal }) =>
      new Answer(
        await textInParts(id, "results", await resources.search.run(work, id, body, signal)),
      ),
    aggregate: ({ params, body }, context) =>
      resources.aggregate(context.work, scopeOf(context, params), body, context.signal),
    distinct: ({ params, body }, context) =>
      resources.distinct(context.work, scopeOf(context, params), body, context.signal),
    executeAction: ({ params, body }, { work, workspace, ifMatch }) => {
      const { id, action, objectType: slug } = params;
      return resources.actions.execute(work, { ...body, workspace, slug, id, action, ifMatch });
    },
    ...batchHandlers(resources),
  };
}

/** Answers 207 where an item failed, and keeps the answer under the key of a creation. */
function batchHandlers({
  batch,
}: ResourceService): Pick<DomainHandlers<"resources">, "batch" | "batchCreate" | "batchUpdate"> {
  return {
    batch: async ({ params, body }, context) => {
      const scope = { ...scopeOf(context, params), mayRead: mayRead(context) };
      const operations = batchOfOperations(body);
      if (body.dryRun === true) return answerOf(await batch.check(context.work, scope, operations));
      return answerOf(
        await batch.write(context.work, scope, operations, (answer, facts) =>
          facts.remember(answer, answerOf(answer).options),
        ),
      );
    },
    batchCreate: async ({ params, body }, context) =>
      answerOf(
        await batch.create(
          context.work,
          scopeOf(context, params),
          batchOfCreation(body),
          (answer, facts) => facts.remember(answer, answerOf(answer).options),
        ),
      ),
    batchUpdate: async ({ params, body }, context) =>
      answerOf(await batch.update(context.work, scopeOf(context, params), batchOfUpdate(body))),
  };
}

/** Deletions of single records, and what brings records back. */
function deletionHandlers(
  resources: ResourceService,
  erasures: Erasures,
): Pick<
  DomainHandlers<"resources">,
  "delete" | "batchDelete" | "deletion" | "deleted" | "restore"
> {
  return {
    delete: async ({ params: { objectType: slug, id }, query }, context) => {
      const { work, workspace, ifMatch } = context;
      if (query.permanent === "true") {
        const scope = { workspace, slug, mayRead: mayRead(context) };
        await erasures.record(work, scope, { id, ifMatch });
        return undefined;
      }
      const options = { ifMatch, mayRead: mayRead(context) };
      await resources.delete(work, workspace.id, slug, id, options);
      return undefined;
    },
    batchDelete: async ({ params, body }, context) =>
      answerOf(
        await resources.batch.delete(
          context.work,
          { ...scopeOf(context, params), mayRead: mayRead(context) },
          batchOfDeletion(body),
        ),
      ),
    deletion: ({ params }, context) =>
      resources.previewDeletion(context.work, { ...scopeOf(context, params), id: params.id }),
    deleted: ({ params, query }, context) =>
      resources.trash.list(context.work, scopeOf(context, params), query),
    restore: ({ params: { objectType, id }, body }, context) => {
      const { work, ifMatch, signal } = context;
      const request = { ...body, id, ifMatch, signal };
      return resources.trash.restore(work, scopeOf(context, { objectType }), request);
    },
  };
}

function creationOf(
  workspaceId: string,
  slug: string,
  { id, version, text }: MadeRecord,
): Answer<Resource> {
  return new Answer<Resource>(new JsonText(text), {
    status: 201,
    headers: { location: placeOf(workspaceId, slug, id), etag: versionTag(version) },
  });
}

/** True if the caller's role reads records, which one that is named by its routes may not. */
function mayRead({ workspace }: WorkspaceContext): boolean {
  return workspace.permissions?.has("resources.get") !== false;
}

function scopeOf(
  { workspace }: WorkspaceContext,
  { objectType }: { readonly objectType: string },
): WriteScope {
  return { workspaceId: workspace.id, slug: objectType };
}

/** 207 (RFC 4918) makes a client that reads only the status look at the items. */
function answerOf(answer: BatchAnswer): Answer<BatchAnswer> {
  return new Answer(answer, { status: answer.failed === 0 ? 200 : 207 });
}

function placeOf(workspaceId: string, slug: string, id: string): string {
  return `/v4/data/resources/${workspaceId}/${encodeURIComponent(slug)}/${id}`;
}
