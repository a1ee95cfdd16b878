import { given } from "#lib/given.ts";
import type { Tool } from "@modelcontextprotocol/server";
import { routes, type Domain } from "#contract/index.ts";
import type { RouteDefinition } from "#contract/route.ts";
import type { Access } from "#contract/access/roles.ts";
import { answerShape, compactInput } from "./compact-schema.ts";
import { replySchema, secretMembers, toolSchema, type ObjectShape } from "./tool-schemas.ts";

/** A route of the contract as a tool for agents. */
export interface AgentTool {
  /** Domain and route, e.g. `resources_list`. */
  readonly name: string;
  readonly domain: string;
  readonly route: RouteDefinition;
  readonly isReadOnly: boolean;
  readonly isDestructive: boolean;
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

/** The tool with its schemas; `hasWorkspace`: a default workspace makes its argument optional. */
export function listedTool(tool: AgentTool, hasWorkspace: boolean): Tool {
  const { route, isReadOnly, isDestructive, name } = tool;
  const isIdempotent = route.method === "PUT" || route.method === "DELETE";
  return {
    name,
    description: `${route.summary}. ${accessWords(route.access)}`,
    inputSchema: compactInput({ ...toolSchema(route, hasWorkspace) }) as Tool["inputSchema"],
    outputSchema: { ...outputSchema(tool) },
    annotations: {
      readOnlyHint: isReadOnly,
      destructiveHint: isDestructive,
      ...(isIdempotent ? { idempotentHint: true } : {}),
    },
  };
}

const shapes = new Map<string, ObjectShape>();

/** The shape of a tool's structured content, an object. */
export function outputSchema({ name, route: { reply } }: AgentTool): ObjectShape {
  const known = shapes.get(name);
  if (known !== undefined) return known;
  const shape = shapeOf(reply);
  shapes.set(name, shape);
  return shape;
}

function shapeOf(reply: RouteDefinition["reply"]): ObjectShape {
  if (reply.type === "bytes") {
    return {
      type: "object",
      properties: { mimeType: { type: "string" }, size: { type: "integer" } },
    };
  }
  if (reply.type !== "json") return { type: "object", properties: { done: { type: "boolean" } } };
  const { schema, definitions } = replySchema(reply.schema);
  const { type, properties, ...rest } = answerShape(schema, definitions);
  if (type === "object") return { type, ...given({ properties }) };
  // Answers that may be lists travel in an object.
  if (type === undefined) return { type: "object" };
  return { type: "object", properties: { value: { type, ...rest } } };
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
  if (access === "system-admin") return "Needs system-admin.";
  if (access === "signed-in" || access === "public") return "Needs no role.";
  return `Needs ${access}.`;
}
