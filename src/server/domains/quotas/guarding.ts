import { Exchange } from "../../http/exchange.ts";
import type { Endpoint, ErasedHandler, HandlerCall } from "../../http/routing/endpoint.ts";
import { LeaderOnlyError } from "../../kit/storage-errors.ts";
import type { Addition, Quotas } from "./service.ts";

/** The addition of each route that stores something, from its request. */
const additions: Readonly<Record<string, (call: HandlerCall, bytes: number) => Addition>> = {
  "resources.create": () => ({ records: 1 }),
  "resources.batchCreate": ({ body }) => ({ records: itemsIn(body) }),
  "resources.uploadFile": (_call, bytes) => ({ bytes }),
  "documents.upload": (_call, bytes) => ({ documents: 1, bytes }),
};

function itemsIn(body: unknown): number {
  const items: unknown =
    typeof body === "object" && body !== null && "items" in body ? body.items : body;
  return Array.isArray(items) ? items.length : 1;
}

/**
 * Holds the requests of workspaces to their quotas, before their handlers. A reading thread hands
 * over what adds to a workspace with a quota, because only the main thread counts it.
 */
export function limited(
  endpoints: readonly Endpoint[],
  quotas: Quotas,
  options: { readonly isThread?: boolean; readonly except?: ErasedHandler } = {},
): Endpoint[] {
  return endpoints.map((endpoint) => {
    const { handler, definition, id } = endpoint;
    if (handler === options.except || definition.access === "public") return endpoint;
    return {
      ...endpoint,
      handler: (call, context) => {
        if (quotas.areOff || !(context instanceof Exchange)) return handler(call, context);
        return guarded(call, context);
      },
    };

    async function guarded(call: HandlerCall, exchange: Exchange): Promise<unknown> {
      let noteAdded: (() => void) | undefined;
      const admit = async (workspaceId: string): Promise<void> => {
        const addition = await admitted(call, exchange, workspaceId);
        if (addition !== undefined) noteAdded = () => quotas.added(workspaceId, addition);
      };
      const workspaceId = exchange.workspace?.id;
      // A form names its workspace later.
      if (workspaceId === undefined) exchange.onEntered = admit;
      else await admit(workspaceId);
      const result: unknown = await handler(call, exchange);
      noteAdded?.();
      return result;
    }

    async function admitted(
      call: HandlerCall,
      exchange: Exchange,
      workspaceId: string,
    ): Promise<Addition | undefined> {
      const quota = await quotas.of(workspaceId);
      const bytes = Math.max(1, Number(exchange.headers.get("content-length") ?? 0));
      const addition = additions[id]?.(call, bytes);
      const isStored = quota.records !== null || quota.documents !== null || quota.bytes !== null;
      if (addition !== undefined && isStored && options.isThread === true) {
        throw new LeaderOnlyError("Only the main thread counts what a workspace stores");
      }
      quotas.takeRequest(workspaceId, quota);
      if (addition === undefined || !isStored) return undefined;
      await quotas.requireRoom(workspaceId, quota, addition);
      return addition;
    }
  });
}
