import { feedCursorField } from "#contract/feed-cursor.ts";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { Answer, type DomainHandlers, type WorkspaceContext } from "../../http/handler.ts";
import { productOpenApi } from "./product-openapi.ts";
import { productAnswer } from "./products.ts";
import type { DeclaredCaller } from "./record-routes.ts";
import type { DeclaredCall, Verticals } from "./service.ts";

export function verticalHandlers({
  verticals,
}: {
  readonly verticals: Verticals;
}): DomainHandlers<"verticals"> {
  interface Params {
    readonly product: string;
    readonly path: string;
  }
  const answered = async (
    context: WorkspaceContext,
    { product, path }: Params,
    rest: Pick<DeclaredCall, "method"> & Partial<DeclaredCall>,
  ): Promise<Answer<unknown>> => {
    const call = { query: {}, body: {}, ...rest, path };
    const { status, body } = await verticals.call(context.work, callerOf(context), product, call);
    const cursor = isJsonObject(body) ? body["feedCursor"] : undefined;
    const headers = typeof cursor === "string" ? { [feedCursorField]: cursor } : {};
    return new Answer(body, { status, headers });
  };
  const changing =
    (method: "POST" | "PUT" | "PATCH") =>
    (
      { params, body }: { readonly params: Params; readonly body: JsonObject },
      context: WorkspaceContext,
    ) =>
      answered(context, params, { method, body });
  return {
    async show({ params, query }, { work, workspace }) {
      const product = await verticals.products.require(work, workspace.id, params.product);
      const answer = productAnswer(product);
      return query.openapi === true ? { ...answer, openapi: productOpenApi(product) } : answer;
    },
    read: ({ params, query }, context) => answered(context, params, { method: "GET", query }),
    send: changing("POST"),
    replace: changing("PUT"),
    change: changing("PATCH"),
    async remove({ params }, context) {
      await answered(context, params, { method: "DELETE" });
      return undefined;
    },
  };
}

function callerOf(context: WorkspaceContext): DeclaredCaller {
  const { workspace, baseUrl, headers, requestId, signal, ifMatch } = context;
  return { workspaceId: workspace.id, baseUrl, headers, requestId, signal, ifMatch };
}
