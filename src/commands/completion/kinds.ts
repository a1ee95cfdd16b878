import type { WantedValue } from "#cli/completion/complete.ts";

/** Values that only the platform, the profile or the program's own tables know. */
export type ValueKind =
  | "workspaces"
  | "types"
  | "records"
  | "documents"
  | "jobs"
  | "members"
  | "roles"
  | "apps"
  | "workflows"
  | "profiles"
  | "commands"
  | "errors"
  | "blocks"
  | "starters"
  | "shells";

export type Kind = { readonly isList?: boolean } & (
  | { readonly of: ValueKind }
  | { readonly place: "files" | "folders" }
);

const workspaces: Kind = { of: "workspaces" };

/** Options by name; the commands agree on what a name means. */
const optionKinds: Readonly<Record<string, Kind>> = {
  "tenant-id": workspaces,
  workspace: workspaces,
  parent: workspaces,
  "tenant-name": workspaces,
  "company-workspace": workspaces,
  "parent-tenant": workspaces,
  "child-tenant": workspaces,
  "app-tenant-id": workspaces,
  types: { of: "types", isList: true },
  "object-type": { of: "types" },
  "resource-type": { of: "types" },
  ids: { of: "records", isList: true },
  "resource-id": { of: "records" },
  "planning-application-id": { of: "records" },
  "business-request-id": { of: "records" },
  "assess-case-id": { of: "records" },
  "member-id": { of: "members" },
  app: { of: "apps" },
  "vertical-key": { of: "apps" },
  workflow: { of: "workflows" },
  "workflow-key": { of: "workflows" },
  profile: { of: "profiles" },
  "starter-template": { of: "starters" },
  "job-id": { of: "jobs" },
};

/** Object Types of the records that these options name (spec 2.5). */
export const contextTypes: Readonly<Record<string, string>> = {
  "planning-application-id": "planning-application",
  "business-request-id": "business-request",
  "assess-case-id": "assess-case",
};

const filePlaceholders = /^(?:file|path|@path|database)$/;
const folderPlaceholders = /^(?:folder|directory|dir|place)$/;

/** The kind of a value; undefined for free text. */
export function kindOf({ command, option, argument }: WantedValue): Kind | undefined {
  if (option !== undefined) {
    const { name, definition } = option;
    if (command.startsWith("deploy ") || (command === "env push" && name === "key")) {
      return undefined;
    }
    const known = optionKinds[name];
    if (known !== undefined) return known;
    const placeholder = definition.placeholder ?? name;
    if (filePlaceholders.test(placeholder)) return { place: "files" };
    if (folderPlaceholders.test(placeholder)) return { place: "folders" };
    return undefined;
  }
  return argument === undefined ? undefined : argumentKind(command, argument.name);
}

function argumentKind(command: string, name: string): Kind | undefined {
  const [group = ""] = command.split(" ");
  switch (name) {
    case "workspace":
      return workspaces;
    case "type":
    case "slugs":
      return { of: "types" };
    case "id":
      if (group === "workspace") return workspaces;
      return group === "docs" ? { of: "documents" } : { of: "records" };
    case "documentId":
      return { of: "documents" };
    case "jobId":
      return { of: "jobs" };
    case "member":
      return { of: "members" };
    case "role":
      return { of: "roles" };
    case "key":
      if (command === "workspace templates export") return { of: "starters" };
      if (group === "app") return { of: "apps" };
      return group === "workflow" ? { of: "workflows" } : undefined;
    case "keys":
    case "workflow-key":
      return { of: "workflows" };
    case "code":
      return { of: "errors" };
    case "block-id":
      return { of: "blocks" };
    case "shell":
      return { of: "shells" };
    case "words":
      return command === "man" ? { of: "commands" } : undefined;
    case "path":
      return group === "publicapi" ? undefined : { place: "files" };
    case "file":
    case "files":
    case "source":
    case "backup":
      return { place: "files" };
    default:
      return undefined;
  }
}
