import type { Tool } from "@modelcontextprotocol/server";
import { routes, type Domain } from "#contract/index.ts";
import type { RouteDefinition } from "#contract/route.ts";
import type { Access } from "#contract/access/roles.ts";
import { secretMembers, toolSchema } from "./tool-schemas.ts";

/** A route of the contract as a tool for agents. */
export interface AgentTool {
  /** Domain and route, e.g. `resources_list`. */
  readonly name: string;
  readonly domain: string;
  readonly route: RouteDefinition;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
}

/** The tools that a connection offers. */
export interface ToolSelection {
  /** Offers only tools that change nothing. */
  readonly readOnly?: boolean | undefined;
  /** Offers only tools of these domains; all tools without a value. */
  readonly domains?: readonly string[] | undefined;
}

/** Every route that an agent may call, in the order of the contract. */
export const agentTools: readonly AgentTool[] = (Object.keys(routes) as Domain[]).flatMap(
  (domain) => {
    const definitions: Readonly<Record<string, RouteDefinition>> = routes[domain];
    return Object.entries(definitions)
      .filter(([, route]) => isForAgents(route))
      .map(([name, route]) => toolOf(domain, name, route));
  },
);

/** Names of the domains that have tools. */
export const toolDomains: readonly string[] = [...new Set(agentTools.map(({ domain }) => domain))];

/** The tools of a selection. */
export function selectedTools({ readOnly, domains }: ToolSelection): readonly AgentTool[] {
  return agentTools.filter(
    (tool) =>
      (readOnly !== true || tool.isReadOnly) &&
      (domains === undefined || domains.includes(tool.domain)),
  );
}

/** The tool with its schemas; `hasWorkspace`: a default workspace makes its argument optional. */
export function listedTool(tool: AgentTool, hasWorkspace: boolean): Tool {
  const { route, isReadOnly, isDestructive, name } = tool;
  return {
    name,
    title: route.summary,
    description: `${route.summary}. ${accessWords(route.access)}`,
    inputSchema: JSON.parse(JSON.stringify(toolSchema(route, hasWorkspace))) as Tool["inputSchema"],
    annotations: {
      readOnlyHint: isReadOnly,
      destructiveHint: isDestructive,
      idempotentHint: isReadOnly || route.method === "PUT" || route.method === "DELETE",
      openWorldHint: false,
    },
    _meta: { "svc/route": `${route.method} ${route.path}`, "svc/role": route.access },
  };
}

function toolOf(domain: string, name: string, route: RouteDefinition): AgentTool {
  const isReadOnly = route.method === "GET" || route.asks === true;
  const isAddition =
    route.method === "POST" &&
    (route.adds === true || (route.idempotent === true && route.guarded !== true));
  return {
    name: `${domain}_${name}`,
    domain,
    route,
    isReadOnly,
    isDestructive: !isReadOnly && !isAddition,
  };
}

/** Streams need a page or a terminal, public routes no agent, and secrets no third party. */
function isForAgents({ access, reply, body }: RouteDefinition): boolean {
  if (access === "public" || reply.type === "events") return false;
  return body?.type !== "json" || secretMembers(body.schema, "input").length === 0;
}

function accessWords(access: Access): string {
  if (access === "system-admin") return "Needs the installation's administrator.";
  if (access === "signed-in" || access === "public") return "Needs no role.";
  return `Needs the role ${access} in the workspace.`;
}
