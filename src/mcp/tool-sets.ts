import { agentTools, type AgentTool } from "./tools.ts";

/** The tools that a connection offers. */
export interface ToolSelection {
  /** Offers only tools that change nothing. */
  readonly readOnly?: boolean | undefined;
  /** Names of {@link toolSets}; without a value the tools for usual tasks. */
  readonly sets?: readonly string[] | undefined;
}

/** The tools of a list, and those that may be called. */
export interface OfferedTools {
  readonly listed: readonly AgentTool[];
  readonly callable: readonly AgentTool[];
  /** True if `tools_search` finds callable tools that are not in the list. */
  readonly hasSearch: boolean;
}

/** Tools for usual tasks: with the two that reach the others they fit in 24 kB. */
const tasks = {
  "who may do what": "identity_me identity_tenants members_list capabilities_evaluate",
  "find, read and write records":
    "objectTypes_list resources_list resources_get resources_search resources_aggregate " +
    "resources_create resources_patch resources_upsert resources_delete",
  "upload, wait, search and ask":
    "documents_upload documents_job documents_list documents_record documents_search " +
    "workflows_readiness chat_send",
} as const;
const usual = new Set(Object.values(tasks).flatMap((names) => names.split(" ")));

/** The names of sets: the tools for usual tasks, all tools, and each domain of the contract. */
export const toolSets: readonly string[] = [
  "default",
  "all",
  ...new Set(agentTools.map(({ domain }) => domain)),
];

/** The set names that do not exist. */
export function unknownSets({ sets = [] }: ToolSelection): readonly string[] {
  return sets.filter((name) => !toolSets.includes(name));
}

/** The tools of a selection. Sets limit what may be called, unless `default` is one of them. */
export function offeredTools({ readOnly, sets = ["default"] }: ToolSelection): OfferedTools {
  const usable = agentTools.filter(({ isReadOnly }) => readOnly !== true || isReadOnly);
  const listed = usable.filter(
    ({ name, domain }) =>
      sets.includes("all") ||
      sets.includes(domain) ||
      (sets.includes("default") && usual.has(name)),
  );
  const hasSearch = sets.includes("default") && listed.length < usable.length;
  return { listed, callable: hasSearch ? usable : listed, hasSearch };
}
