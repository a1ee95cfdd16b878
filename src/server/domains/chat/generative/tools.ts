import * as z from "zod";
import type { SearchAnswer } from "#contract/resources/reads/search.ts";
import type { JsonObject } from "#contract/values.ts";
import type { Promisable } from "../../../kit/promisable.ts";
import type { Work } from "../../../work/work.ts";
import type { AnswerSource, AnswerTool } from "../answer-engine.ts";

/** The searches of a caller, and the rights to them. */
export interface ToolAccess {
  /** True if the user's role in the workspace includes a route, e.g. `resources.search`. */
  mayUse(workspaceId: string, oid: string, capability: string): Promisable<boolean>;
  searchRecords(
    work: Work,
    workspaceId: string,
    query: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<SearchAnswer>;
}

const recordsAtMost = 8;
const recordCharacters = 4_000;
const query = z.object({ query: z.string().trim().min(1).max(500).describe("Words to look for") });

/** The tools that a caller's role allows. */
export async function toolsFor(
  work: Work,
  access: ToolAccess,
  workspaceId: string,
  searchDocuments: (query: string, signal: AbortSignal) => Promise<readonly AnswerSource[]>,
): Promise<AnswerTool[]> {
  const oid = work.scope.caller;
  const tools: AnswerTool[] = [];
  if (await access.mayUse(workspaceId, oid, "documents.search")) {
    tools.push({
      name: "search_documents",
      description: "Finds more passages of the documents. Use other words than the question.",
      input: query,
      async run(input, signal) {
        const sources = await searchDocuments(query.parse(input).query, signal);
        const summary = { passages: sources.map(({ filename, page }) => ({ filename, page })) };
        return { sources, records: [], summary };
      },
    });
  }
  if (await access.mayUse(workspaceId, oid, "resources.search")) {
    tools.push({
      name: "search_records",
      description: "Finds records of the workspace, e.g. applications and their status.",
      input: query,
      async run(input, signal) {
        const asked = query.parse(input).query;
        const limit = recordsAtMost;
        const { results } = await access.searchRecords(work, workspaceId, asked, limit, signal);
        const records = results
          .map(({ type, id, data }): JsonObject => ({ type, id, data }))
          .filter((record) => JSON.stringify(record).length <= recordCharacters);
        const summary = { records: results.map(({ type, id }) => ({ type, id })) };
        return { sources: [], records, summary };
      },
    });
  }
  return tools;
}
