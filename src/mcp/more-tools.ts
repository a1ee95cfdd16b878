import type { Tool } from "@modelcontextprotocol/server";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { failedAnswer, jsonAnswer, type ToolAnswer } from "./answer.ts";
import { listedTool, type AgentTool } from "./tools.ts";

/** Tools of one answer of the search. */
const defaultFound = 5;
const maximumFound = 20;

export const searchName = "tools_search";
export const callName = "tools_call";

/** The two tools that reach those outside the list. */
export function moreTools(readOnly: boolean): Tool[] {
  return [
    {
      name: searchName,
      description:
        "Find tools that are not in this list, e.g. for members, keys, roles, Object Types, " +
        "files, reviews, classifiers, apps, audit, storage or geo. Call one with tools_call.",
      inputSchema: {
        type: "object",
        properties: {
          query: { type: "string", description: "Words of the task, e.g. invite member" },
          limit: { type: "integer", minimum: 1, maximum: maximumFound, default: defaultFound },
        },
        required: ["query"],
        additionalProperties: false,
      },
      outputSchema: {
        type: "object",
        properties: {
          tools: {
            type: "array",
            items: {
              type: "object",
              properties: {
                name: { type: "string" },
                description: { type: "string" },
                inputSchema: { type: "object" },
                annotations: { type: "object" },
              },
            },
          },
          total: { type: "integer" },
        },
      },
      annotations: { readOnlyHint: true, destructiveHint: false },
    },
    {
      name: callName,
      description: "Call a tool that tools_search has found; its answer is that tool's answer.",
      inputSchema: {
        type: "object",
        properties: {
          name: { type: "string", description: "The tool's name" },
          arguments: { type: "object", description: "Its arguments, by its inputSchema" },
        },
        required: ["name"],
        additionalProperties: false,
      },
      outputSchema: { type: "object" },
      annotations: { readOnlyHint: readOnly, destructiveHint: !readOnly },
    },
  ];
}

/** The tools with the words of the query in their names, texts, paths or arguments, best first. */
export function searchTools(
  tools: readonly AgentTool[],
  given: Readonly<JsonObject>,
  hasWorkspace: boolean,
): ToolAnswer {
  const { query, limit = defaultFound } = given;
  if (typeof query !== "string" || typeof limit !== "number" || !(limit >= 1)) {
    return failedAnswer("Invalid arguments: query must be a text, and limit a number from 1.");
  }
  const words = query.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];
  const scored = tools
    .map((tool) => ({ tool, score: scoreOf(tool, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score);
  const found = scored.slice(0, Math.min(limit, maximumFound)).map(({ tool }) => {
    const { name, description, inputSchema, annotations } = listedTool(tool, hasWorkspace);
    return { name, description, inputSchema, annotations };
  });
  return jsonAnswer({ tools: found, total: scored.length });
}

/** A word counts most in the name, and least among the arguments. */
function scoreOf({ name, route }: AgentTool, words: readonly string[]): number {
  const texts = [
    [name.replaceAll(/(?=[A-Z])/g, " ").toLowerCase(), 4],
    [route.summary.toLowerCase(), 3],
    [route.path.toLowerCase(), 1],
  ] as const;
  return words.reduce((sum, word) => {
    // A plural finds its singular.
    const stem = word.length > 4 ? word.replace(/(?:ies|y|e?s)$/, "") : word;
    return sum + Math.max(...texts.map(([text, weight]) => (text.includes(stem) ? weight : 0)));
  }, 0);
}

/** The name and the arguments of the tool that `tools_call` is to call; undefined for others. */
export function namedCall(
  given: Readonly<JsonObject>,
): { readonly name: string; readonly arguments: JsonObject } | undefined {
  const { name, arguments: passed = {} } = given;
  return typeof name === "string" && isJsonObject(passed) ? { name, arguments: passed } : undefined;
}
