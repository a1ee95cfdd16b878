import { given } from "#lib/given.ts";
import type { AgentHandler } from "#mcp/http.ts";
import type { AgentHost, AgentRequest } from "#mcp/host.ts";
import type { ToolSelection } from "#mcp/tool-sets.ts";
import type { Lifetime } from "../../kit/lifetime.ts";
import { keptPromise } from "../../kit/background.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import { changesOf } from "./changes.ts";

/** Largest message; an upload travels in base64 within one. */
const maximumMessageBytes = 32 * 1024 * 1024;
/** Requests of all agents that listen to changes of resources. */
const maximumSubscriptions = 64;

/** The sender of one message. */
export interface AgentSession {
  readonly baseUrl: string;
  /** The verified access token; each call of a tool sends it. */
  readonly token: string;
  readonly workspaceId: string | undefined;
  readonly selection: ToolSelection;
}

/** Answers messages of agents. A tool's call is a request to the platform like any other. */
export class AgentService {
  #handler: Promise<AgentHandler> | undefined;

  constructor(
    private readonly parts: {
      readonly lifetime: Pick<Lifetime, "draining">;
      readonly fetch: (request: Request) => Promise<Response>;
    },
  ) {}

  async answer(request: Request, session: AgentSession): Promise<Response> {
    await checkSets(session.selection);
    const handler = await (this.#handler ??= keptPromise(this.#open()));
    const caller = { host: this.#host(session), selection: session.selection };
    return handler.answer(request, caller);
  }

  #host({ baseUrl, token, workspaceId }: AgentSession): AgentHost {
    return {
      workspaceId,
      secrets: [token],
      send: (request) => this.parts.fetch(requestOf(baseUrl, token, request)),
      changes: (changed, options) =>
        changesOf(
          (request) => this.parts.fetch(requestOf(baseUrl, token, request)),
          changed,
          options,
        ),
    };
  }

  /** Loads the protocol's library with the first message. */
  async #open(): Promise<AgentHandler> {
    const { agentHandler } = await import("#mcp/http.ts");
    const handler = agentHandler({
      maxRequestBodySize: maximumMessageBytes,
      maxSubscriptions: maximumSubscriptions,
    });
    this.parts.lifetime.draining.addEventListener("abort", () => {
      handler.close().catch(() => {});
    });
    return handler;
  }
}

/** Throws 422 for a set that does not exist. */
async function checkSets(selection: ToolSelection): Promise<void> {
  const { toolSets, unknownSets } = await import("#mcp/tool-sets.ts");
  const unknown = unknownSets(selection);
  if (unknown.length === 0) return;
  const words = `${JSON.stringify(unknown[0])} is not a set of tools`;
  throw invalid([faultAt("query", ["tools"], `${words}; expected ${toolSets.join(", ")}`)]);
}

function requestOf(baseUrl: string, token: string, request: AgentRequest): Request {
  const { method, path, query, tenantId, idempotencyKey, body, contentType, signal } = request;
  const headers = new Headers(request.headers);
  headers.set("authorization", `Bearer ${token}`);
  if (tenantId !== undefined) headers.set("x-tenant-id", tenantId);
  if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
  if (contentType !== undefined) headers.set("content-type", contentType);
  const search = new URLSearchParams();
  for (const [name, value] of query) search.append(name, value);
  const address = `${baseUrl}${path}${query.length === 0 ? "" : `?${search.toString()}`}`;
  return new Request(address, { method, headers, signal, ...given({ body }) });
}
