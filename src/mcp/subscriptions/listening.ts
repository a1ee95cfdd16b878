import type { McpHttpHandler, ServerEventBus } from "@modelcontextprotocol/server";
import { isJsonObject, parsedJson } from "#lib/json/value.ts";
import { readBoundedText } from "#lib/network/bounded-body.ts";
import { toolResources } from "../declared/workspace-tools.ts";
import type { AgentHost } from "../host.ts";
import { ResourceWatch } from "./resource-watch.ts";
import { ResourceFault } from "../resources.ts";
import * as sdk from "../sdk.ts";

export const listenMethod = "subscriptions/listen";
const maximumBytes = 1024 * 1024;

/**
 * The addresses whose changes a request to listen needs: those that it names, and those that say
 * which tools there are. Undefined for any other message.
 */
export function listenedResources(
  message: unknown,
  workspaceId: string | undefined,
): string[] | undefined {
  if (!isJsonObject(message) || message["method"] !== listenMethod) return undefined;
  const { params } = message;
  const filter = isJsonObject(params) ? params["notifications"] : undefined;
  if (!isJsonObject(filter)) return [];
  const { resourceSubscriptions: uris, toolsListChanged } = filter;
  const texts = Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
  const hasTools = toolsListChanged === true && workspaceId !== undefined;
  return [...new Set([...texts, ...(hasTools ? toolResources(workspaceId) : [])])];
}

/** Makes the library's handler of one request, which gets its events from the bus. */
type MakeHandler = (bus: ServerEventBus, maxSubscriptions: number) => McpHttpHandler;

/** Streams changes of resources to listening requests; each has the rights of its caller only. */
export class ListeningRequests {
  readonly #open = new Set<McpHttpHandler>();

  constructor(private readonly maximum: number) {}

  async answer(
    request: Request,
    host: AgentHost,
    {
      make,
      send,
    }: {
      readonly make: MakeHandler;
      readonly send: (handler: McpHttpHandler, parsedBody: unknown) => Promise<Response>;
    },
  ): Promise<Response> {
    const message = parsedJson(await readBoundedText(request, maximumBytes));
    const uris = listenedResources(message, host.workspaceId) ?? [];
    const ofTools = host.workspaceId === undefined ? [] : toolResources(host.workspaceId);
    const bus = new sdk.InMemoryServerEventBus();
    const isFull = this.#open.size >= this.maximum;
    // The library refuses a request above its limit.
    const handler: McpHttpHandler = make(bus, isFull ? 0 : 1);
    const watch = new ResourceWatch(host, {
      updated: (uri) => {
        // The library sends what the request has asked for.
        bus.publish({ kind: "resource_updated", uri });
        if (ofTools.includes(uri)) bus.publish({ kind: "tools_list_changed" });
      },
      // The end of the stream is the sign to read the resources again.
      ended: () => void handler.close().catch(() => {}),
    });
    this.#open.add(handler);
    const end = (): void => {
      watch.close();
      this.#open.delete(handler);
    };
    let response: Response | undefined;
    try {
      if (!isFull) await watch.add(uris);
      response = await send(handler, message);
    } catch (error) {
      if (!(error instanceof ResourceFault)) throw error;
      response = refusal(message, error.message);
    } finally {
      if (!isStream(response)) end();
    }
    if (!isStream(response) || response.body === null) return response;
    return new Response(untilEnd(response.body, end), response);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((handler) => handler.close()));
  }
}

function isStream(response: Response | undefined): boolean {
  return response?.headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/** Returns the same bytes; calls `end` after the last one, and when the reader leaves. */
function untilEnd(body: ReadableStream<Uint8Array>, end: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      end();
      controller.close();
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
}

function refusal(message: unknown, text: string): Response {
  const given = isJsonObject(message) ? message["id"] : undefined;
  const id = typeof given === "string" || typeof given === "number" ? given : null;
  const error = { code: sdk.ProtocolErrorCode.InvalidParams, message: text };
  return Response.json({ jsonrpc: "2.0", id, error }, { status: 400 });
}
