import {
  agentPath,
  commandClientIdMember,
  resourceMetadataPath,
  serverMetadataPath,
} from "#contract/platform/agents.ts";
import { Refusal } from "#contract/problems.ts";
import { authPath, commandClientId, commandScopes } from "#contract/access/sign-in.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import type { ToolSelection } from "#mcp/tool-sets.ts";
import type { Exchange } from "../../http/exchange.ts";
import { faultAt, invalid } from "../../kit/faults.ts";
import type { TokenPort } from "../../work/ports.ts";
import type { RateLimiter } from "../../http/rates/rate-limiter.ts";
import { bearerToken } from "../../http/request-headers.ts";
import { unauthenticated } from "../../http/pipeline-refusals.ts";
import { streamedResponses } from "../../http/response/body-sources.ts";
import { discoveryDocument } from "../sign-in/service.ts";
import type { AgentService } from "./service.ts";

interface AgentParts {
  readonly service: AgentService;
  readonly tokens: TokenPort;
  readonly rates: Pick<RateLimiter, "take">;
  /** The issuer of another OpenID provider that signs users in. */
  readonly authUrl: string | undefined;
  /** The client of the command and the scopes of its tokens at that provider. */
  readonly authRegistration:
    | { readonly clientId?: string; readonly scopes?: readonly string[] }
    | undefined;
}

/** Agents over HTTP at `/mcp`, and the documents by which they find the sign-in. */
export class AgentPages {
  constructor(private readonly parts: AgentParts) {}

  /** The response to a request of an agent; undefined for every other path. */
  answer(exchange: Exchange): Promise<Response> | undefined {
    const { path } = exchange;
    if (path === agentPath) return this.#serve(exchange);
    const isResource = path === resourceMetadataPath || path === resourceMetadataPath + agentPath;
    if (isResource) return document(exchange, this.#resource(exchange));
    if (path === serverMetadataPath + authPath && this.parts.authUrl === undefined) {
      return document(exchange, discoveryDocument(exchange.baseUrl));
    }
    return undefined;
  }

  #resource({ baseUrl, path }: Exchange): Readonly<Record<string, unknown>> {
    const { clientId = commandClientId, scopes = [] } = this.parts.authRegistration ?? {};
    return {
      // The resource whose metadata are at this path (RFC 9728, 3.3).
      resource: baseUrl + path.slice(resourceMetadataPath.length),
      resource_name: "Workspace data platform",
      authorization_servers: [this.parts.authUrl ?? baseUrl + authPath],
      bearer_methods_supported: ["header"],
      scopes_supported: [...commandScopes, ...scopes],
      [commandClientIdMember]: clientId,
    };
  }

  async #serve(exchange: Exchange): Promise<Response> {
    const token = bearerToken(exchange);
    if (token === undefined) throw withMetadata(exchange, unauthenticated());
    const oid = await this.#verify(exchange, token);
    await this.parts.rates.take(oid, exchange.responseFields);
    if (exchange.method !== "POST") {
      throw new Refusal("method-not-allowed", { headers: { allow: "POST" } });
    }
    // A call may wait for a job.
    exchange.mayTakeLong();
    const response = await this.parts.service.answer(exchange.request, {
      baseUrl: exchange.baseUrl,
      token,
      workspaceId: workspaceOf(exchange),
      selection: selectionOf(exchange),
    });
    // A waiting call reports its progress in events.
    if (response.body !== null) streamedResponses.add(response);
    return response;
  }

  async #verify(exchange: Exchange, token: string): Promise<string> {
    try {
      return (await this.parts.tokens.verify(token)).oid;
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 401) throw error;
      // Guesses count for the address, since there is no caller.
      await this.parts.rates.take(exchange.address, exchange.responseFields);
      throw withMetadata(exchange, error);
    }
  }
}

/** The workspace of calls that name none. */
function workspaceOf({ headers }: Exchange): string | undefined {
  const named = headers.get("x-tenant-id");
  if (named === null) return undefined;
  const workspaceId = canonicalUuid(named);
  if (workspaceId !== undefined) return workspaceId;
  throw invalid([faultAt("header", ["X-Tenant-Id"], "must be a UUID")]);
}

/** `?tools=resources,documents&readonly=true` limits what the connection offers. */
function selectionOf({ search }: Exchange): ToolSelection {
  const parameters = new URLSearchParams(search);
  const unknown = [...parameters.keys()].filter((name) => !selectionParameters.has(name));
  if (unknown.length > 0) {
    const expected = `is not a parameter; expected ${[...selectionParameters].join(", ")}`;
    throw invalid(unknown.map((name) => faultAt("query", [name], expected)));
  }
  const flags = ["readonly", "read-only"].filter((name) => parameters.has(name));
  for (const name of flags) {
    if (parameters.get(name) === "true" || parameters.get(name) === "false") continue;
    throw invalid([faultAt("query", [name], "must be true or false")]);
  }
  return {
    readOnly: flags.some((name) => parameters.get(name) === "true"),
    sets: parameters.get("tools")?.split(","),
  };
}

/** Another name would be a limit that does not hold. */
const selectionParameters: ReadonlySet<string> = new Set(["tools", "readonly", "read-only"]);

/** Names the document by which an agent finds the sign-in (RFC 9728, 5.1). */
function withMetadata({ baseUrl }: Exchange, refusal: Refusal): Refusal {
  const { headers, ...options } = refusal.options;
  const challenge = headers?.["www-authenticate"] ?? 'Bearer realm="svc"';
  const metadata = `resource_metadata="${baseUrl}${resourceMetadataPath}${agentPath}"`;
  return new Refusal(refusal.code, {
    ...options,
    headers: { ...headers, "www-authenticate": `${challenge}, ${metadata}` },
  });
}

async function document(
  { method }: Exchange,
  body: Readonly<Record<string, unknown>>,
): Promise<Response> {
  if (method !== "GET" && method !== "HEAD") {
    throw new Refusal("method-not-allowed", { headers: { allow: "GET" } });
  }
  return Response.json(body, { headers: { "cache-control": "public, max-age=300" } });
}
