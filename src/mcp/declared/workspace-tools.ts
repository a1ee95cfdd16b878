import { configurationTypes } from "#contract/access/configuration-types.ts";
import { verticalRoutes } from "#contract/apps/verticals.ts";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { callTool } from "../call-tool.ts";
import type { AgentHost } from "../host.ts";
import type { OfferedTools, ToolSelection } from "../tool-sets.ts";
import { agentTools } from "../tools.ts";
import { declaredPrefix, declaredTools, namePrefix, type DeclaredTool } from "./declared-tools.ts";

/** Enrolled products whose routes become tools; the others are reached by their paths. */
const maximumProducts = 20;
/** Tools of routes in a list, and their characters; tools_search finds the others. */
const listedTools = 40;
const listedCharacters = 24_000;

/** Records of these types say which routes the workspace has. */
const typesOfRoutes = [configurationTypes.enrollment, configurationTypes.binding];

/** The resources whose changes may change the tools of a workspace. */
export function toolResources(workspaceId: string): string[] {
  return typesOfRoutes.map((type) => `svc://${workspaceId}/records/${type}`);
}

/** True if the selection has tools of declared routes. */
function offersDeclared(host: AgentHost, { sets = ["default"] }: ToolSelection): boolean {
  const has = (name: string): boolean => sets.includes(name);
  return host.workspaceId !== undefined && (has("default") || has("all") || has("verticals"));
}

/** True if lists have tools of declared routes; those for usual tasks leave them to the search. */
export function listsDeclared(host: AgentHost, { sets = [] }: ToolSelection): boolean {
  return host.workspaceId !== undefined && (sets.includes("all") || sets.includes("verticals"));
}

/** The tools of the declared routes of the default workspace, by the rights of the caller. */
export class WorkspaceTools {
  /** True once the platform has listed the products of the workspace, be it none. */
  isKnown = false;

  constructor(
    private readonly host: AgentHost,
    private readonly selection: ToolSelection,
  ) {}

  /** The tools of all active products, of at most {@link maximumProducts}. */
  async all(signal: AbortSignal): Promise<DeclaredTool[]> {
    return offersDeclared(this.host, this.selection) ? this.#of(() => true, signal) : [];
  }

  /** The tools of a list; where others are found by a search, the list has a bound. */
  async listed({ hasSearch }: OfferedTools, signal: AbortSignal): Promise<DeclaredTool[]> {
    if (!listsDeclared(this.host, this.selection)) return [];
    const all = await this.all(signal);
    if (!hasSearch) return all;
    let characters = 0;
    return all.slice(0, listedTools).filter(({ listed }) => {
      characters += JSON.stringify(listed).length;
      return characters <= listedCharacters;
    });
  }

  async find(name: string, signal: AbortSignal): Promise<DeclaredTool | undefined> {
    if (!name.startsWith(declaredPrefix) || !offersDeclared(this.host, this.selection)) {
      return undefined;
    }
    const tools = await this.#of((product) => name.startsWith(namePrefix(product)), signal);
    return tools.find((tool) => tool.name === name);
  }

  async #of(isWanted: (product: string) => boolean, signal: AbortSignal): Promise<DeclaredTool[]> {
    const { enrollment: objectType } = configurationTypes;
    const answer = await this.#read("resources_list", { objectType, limit: 100 }, signal);
    this.isKnown = Array.isArray(answer["items"]);
    const products = new Set(itemsOf(answer).flatMap(activeProduct).filter(isWanted));
    const found = await Promise.all(
      [...products].slice(0, maximumProducts).map(async (product) => {
        const shown = await this.#read("verticals_show", { product }, signal);
        const parsed = verticalRoutes.show.reply.schema.safeParse(shown);
        return parsed.success ? declaredTools({ ...parsed.data, product }) : [];
      }),
    );
    const { readOnly } = this.selection;
    return found.flat().filter(({ base }) => readOnly !== true || base.isReadOnly);
  }

  /** An empty object where the platform refuses it, such as one without products. */
  async #read(name: string, given: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const tool = agentTools.find((known) => known.name === name);
    if (tool === undefined) throw new TypeError(`no tool ${name}`);
    const { isError, structuredContent } = await callTool(this.host, tool, given, { signal });
    return isError === true ? {} : { ...structuredContent };
  }
}

function itemsOf({ items }: JsonObject): JsonObject[] {
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}

/** The key of an enrolled product that answers. */
function activeProduct({ data }: JsonObject): string[] {
  if (!isJsonObject(data)) return [];
  const { vertical_key: key, status } = data;
  return typeof key === "string" && (status ?? "active") === "active" ? [key] : [];
}
