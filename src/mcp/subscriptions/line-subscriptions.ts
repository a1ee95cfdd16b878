import type { JSONRPCMessage, Server } from "@modelcontextprotocol/server";
import type { AgentWatch } from "../agent-server.ts";
import { toolResources } from "../declared/workspace-tools.ts";
import type { AgentHost } from "../host.ts";
import { listenedResources } from "./listening.ts";
import { ResourceWatch } from "./resource-watch.ts";

type RequestId = string | number;
/** The part of the library's server that reports changes. */
type Reports = Pick<Server, "sendResourceUpdated" | "sendToolListChanged">;

/** Watched resources of one connection over lines: of both revisions of the protocol. */
export class LineSubscriptions {
  readonly #watch: ResourceWatch;
  /** Requests to listen, each with the end of its watch. */
  readonly #listening = new Map<
    RequestId,
    { readonly uris: readonly string[]; readonly remove: () => void }
  >();
  readonly #single = new Map<string, () => void>();
  #server: Reports | undefined;
  #hasToolWatch = false;

  /** `refuse` answers a request to listen with an error. */
  constructor(
    private readonly host: AgentHost,
    private readonly refuse: (id: RequestId, reason: string) => void,
  ) {
    this.#watch = new ResourceWatch(host, {
      updated: (uri) => this.#changed(uri),
      ended: (uris, reason) => this.#ended(new Set(uris), reason),
    });
  }

  /** The server that reports the changes. */
  set server(server: Reports) {
    this.#server = server;
  }

  readonly single: NonNullable<AgentWatch["single"]> = {
    subscribe: async (uri) => {
      const remove = await this.#watch.add([uri]);
      this.single.unsubscribe(uri);
      this.#single.set(uri, remove);
    },
    unsubscribe: (uri) => {
      this.#single.get(uri)?.();
      this.#single.delete(uri);
    },
    listed: () => {
      const { workspaceId } = this.host;
      if (workspaceId === undefined) return;
      // A platform may refuse the stream: the next reading of the list tries again.
      if (this.#hasToolWatch) return;
      this.#hasToolWatch = true;
      this.#watch.add(toolResources(workspaceId)).catch(() => {
        this.#hasToolWatch = false;
      });
    },
  };

  /**
   * Opens the watch of a request to listen before the library confirms it; resolves to false where
   * the request was refused. Undefined for any other message.
   */
  open(message: JSONRPCMessage): Promise<boolean> | undefined {
    if (!("method" in message)) return undefined;
    if (message.method === "notifications/cancelled") {
      const cancelled = message.params?.["requestId"];
      if (typeof cancelled === "string" || typeof cancelled === "number") this.#end(cancelled);
    }
    const uris = listenedResources(message, this.host.workspaceId);
    return uris === undefined || !("id" in message) ? undefined : this.#listen(message.id, uris);
  }

  close(): void {
    this.#watch.close();
  }

  async #listen(id: RequestId, uris: readonly string[]): Promise<boolean> {
    try {
      this.#listening.set(id, { uris, remove: await this.#watch.add(uris) });
      return true;
    } catch (error) {
      this.refuse(id, error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  #end(id: RequestId): void {
    this.#listening.get(id)?.remove();
    this.#listening.delete(id);
  }

  #ended(uris: ReadonlySet<string>, reason: string): void {
    this.#hasToolWatch = false;
    for (const [id, listening] of this.#listening) {
      if (!listening.uris.some((uri) => uris.has(uri))) continue;
      this.#end(id);
      this.refuse(id, reason);
    }
    // A single subscription has no answer that could end it: its next read says why.
    for (const uri of uris) {
      if (this.#single.delete(uri)) this.#report(uri);
    }
  }

  #changed(uri: string): void {
    // The library leaves out what no request listens to; the earlier protocol has no such filter.
    if (this.#single.has(uri) || this.#listening.size > 0) this.#report(uri);
    const { workspaceId } = this.host;
    if (workspaceId === undefined || !toolResources(workspaceId).includes(uri)) return;
    void this.#server?.sendToolListChanged().catch(() => {});
  }

  #report(uri: string): void {
    void this.#server?.sendResourceUpdated({ uri }).catch(() => {});
  }
}
