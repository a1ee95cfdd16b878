import { agentServer } from "./agent-server.ts";
import type { AgentHost } from "./host.ts";
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
  const handler = sdk.createMcpHandler(({ authInfo }) => {
    const caller = authInfo === undefined ? undefined : callers.get(authInfo);
    if (caller === undefined) throw new TypeError("a message without a caller");
    return agentServer(caller.host, caller.selection);
  }, limits);
  return {
    answer: (request, caller) => {
      // The library passes it on as it is; the token itself stays with the host.
      const authInfo = { token: "", clientId: "", scopes: [] };
      callers.set(authInfo, caller);
      return handler.fetch(request, { authInfo });
    },
    close: () => handler.close(),
  };
}
