import { Refusal } from "#contract/problems.ts";
import { realtimeRoutes } from "#contract/platform/realtime.ts";
import type { DomainHandlers, WorkspaceContext } from "../../http/handler.ts";
import { bearerToken } from "../../http/request-headers.ts";
import { filterText, type Realtime } from "./service.ts";
import type { StreamQuery } from "./stream-filter.ts";

export function realtimeHandlers({
  realtime,
}: {
  readonly realtime: Realtime;
}): DomainHandlers<"realtime"> {
  return {
    async negotiate({ body }, context) {
      const { workspace, baseUrl } = context;
      await realtime.requireFilter(workspace, body);
      const token = bearerToken(context) ?? "";
      const grant = { token, workspaceId: workspace.id, filter: filterText(body) };
      const { accessToken, expiresAt } = realtime.grants.make(grant);
      const query = new URLSearchParams({ tenant_id: workspace.id });
      for (const name of ["kinds", "types", "where"] as const) {
        const value = body[name];
        if (value !== undefined) query.set(name, value);
      }
      if (body.full === true) query.set("full", "true");
      query.set("access_token", accessToken);
      const url = `${baseUrl}${realtimeRoutes.events.path}?${query.toString()}`;
      return { url, accessToken, expiresAt, transports: ["sse", "websocket"] };
    },
    async events({ query }, context) {
      const { work, workspace, principal, lastEventId, signal } = context;
      const events = await realtime.open(work, {
        workspace,
        oid: principal.oid,
        token: tokenOf(realtime, query, context),
        query,
        cursor: lastEventId ?? query.cursor,
        signal,
      });
      return { events };
    },
  };
}

/** The caller's token; refuses 403 for a granted stream of another workspace or filter. */
function tokenOf(
  realtime: Realtime,
  query: StreamQuery & { readonly access_token?: string | undefined },
  context: WorkspaceContext,
): string {
  const own = bearerToken(context);
  if (own !== undefined || query.access_token === undefined) return own ?? "";
  const { token, workspaceId, filter } = realtime.grants.open(query.access_token);
  if (workspaceId === context.workspace.id && filter === filterText(query)) return token;
  throw new Refusal("permission-denied", {
    detail: "Cannot open this stream: its token was granted for another workspace or filter",
  });
}
