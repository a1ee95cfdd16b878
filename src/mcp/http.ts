import type { McpServerFactory } from "@modelcontextprotocol/server";
import { agentServer } from "./agent-server.ts";
import type { AgentHost } from "./host.ts";
import { listenMethod, ListeningRequests } from "./subscriptions/listening.ts";
import * as sdk from "./sdk.ts";
import type { ToolSelection } from "./tool-sets.ts";

/** The caller of one message, with a selection of tools. */
export interface AgentCaller {
  readonly host: AgentHost;
  readonly selection: ToolSelection;
}

/** Serves agents over streamable HTTP. */
export interface AgentHandler {
  answer(request: Request, caller: AgentCaller): Promise<Response>;
  close(): Promise<void>;
}

/** Serves each message with its own server, which has the rights of its caller. */
export function agentHandler(limits: {
  readonly maxRequestBodySize: number;
  readonly maxSubscriptions: number;
}): AgentHandler {
  const callers = new WeakMap<object, AgentCaller>();
  const serve: McpServerFactory = ({ authInfo, era }) => {
    const caller = authInfo === undefined ? undefined : callers.get(authInfo);
    if (caller === undefined) throw new TypeError("a message without a caller");
    // A message of the earlier protocol has no stream that a change could be sent on.
    return agentServer(caller.host, caller.selection, { listens: era === "modern" });
  };
  const handler = sdk.createMcpHandler(serve, limits);
  const listening = new ListeningRequests(limits.maxSubscriptions);
  return {
    answer: async (request, caller) => {
      // The library passes it on as it is; the token itself stays with the host.
      const authInfo = { token: "", clientId: "", scopes: [] };
      callers.set(authInfo, caller);
      if (request.headers.get("mcp-method") !== listenMethod) {
        return handler.fetch(request, { authInfo });
      }
      return listening.answer(request, caller.host, {
        make: (bus, maxSubscriptions) =>
          sdk.createMcpHandler(serve, { ...limits, bus, maxSubscriptions }),
        send: (own, parsedBody) => own.fetch(request, { authInfo, parsedBody }),
      });
    },
    async close() {
      await Promise.all([handler.close(), listening.close()]);
    },
  };
}
