import type { Candidate, WantedValue } from "#cli/completion/complete.ts";
import { shells } from "#cli/completion/scripts.ts";
import type { CommandTable } from "#cli/command.ts";
import type { Environment } from "#cli/environment.ts";
import { Output } from "#cli/output/output.ts";
import { errorCatalog } from "#contract/errors.ts";
import { keepValues, readKeptValues } from "#local/configuration/completion-cache.ts";
import { enrollmentOf, enrollmentType, workflowKeyOf } from "#client/enrollments.ts";
import { createContext, type CommandContext } from "../kit/context.ts";
import { contextTypes, type ValueKind } from "./kinds.ts";

/** A shell waits for the answer while the user looks at an unfinished line. */
export const waitMs = 1_500;
const maximumValues = 200;
const maximumDescription = 60;

export interface ValueRequest {
  readonly kind: ValueKind;
  readonly wanted: WantedValue;
  readonly previous: readonly string[];
  /** The typed part of the value. */
  readonly begun: string;
}

/** How a candidate refers to a workspace or a document: an id is offered once one is begun. */
type Reference = "name" | "id" | "either";

const begunId = /^[0-9a-f]{2,8}(?:-|$)/;

function referenceIn({ wanted, begun }: ValueRequest): Reference {
  if (wanted.command.startsWith("publicapi")) return "id";
  return begunId.test(begun) ? "either" : "name";
}

function referred(by: Reference, name: string | undefined, id: string, description: unknown) {
  const values = by === "name" ? [name ?? id] : by === "id" ? [id] : [name ?? id, id];
  return [...new Set(values)].map((value) => candidate(value, description));
}

/** The values that fit; at most 200, from the last minute. Throws the errors of the client. */
export async function liveValues(
  environment: Environment,
  table: CommandTable,
  request: ValueRequest,
): Promise<readonly Candidate[]> {
  const known = localValues(table, request.kind);
  if (known !== undefined) return known;
  const context = quietContext(environment, table, request.previous);
  const settings = await context.settings();
  const configDirectory = settings.configDirectory.value;
  if (request.kind === "profiles") {
    const { profileNames } = await import("#local/configuration/profiles.ts");
    return (await profileNames(configDirectory)).map(plain);
  }
  if (request.kind === "blocks") {
    const { builtInBlocks } = await import("../kit/blocks/catalog.ts");
    return (await builtInBlocks(context)).map(({ id, name }) => candidate(id, name));
  }
  const state = await (await context.session()).state();
  if (!state.signedIn) return [];
  const type = typeOf(request.wanted);
  const workspace = workspaceIn(request.previous);
  const by = referenceIn(request);
  const place = {
    configDirectory,
    key: [
      settings.baseUrl.value,
      settings.profile.value,
      state.claims.subject,
      workspace ?? settings.workspace?.value.id,
      by === "name" ? request.kind : `${request.kind} by ${by}`,
      type,
    ],
  };
  const kept = await readKeptValues(place);
  if (kept !== undefined) return kept;
  const values = (await ask(context, { ...request, type, workspace, by })).slice(0, maximumValues);
  await keepValues(place, values);
  return values;
}

/** Values that no platform is needed for. */
function localValues(table: CommandTable, kind: ValueKind): readonly Candidate[] | undefined {
  if (kind === "shells") return shells.map(plain);
  if (kind === "errors") {
    return Object.entries(errorCatalog).map(([code, { message }]) => candidate(code, message));
  }
  if (kind !== "commands") return undefined;
  const words = table.commands.map(({ path, summary }) => candidate(path.split(" ")[0], summary));
  return [...new Map(words.map((word) => [word.value, word])).values()];
}

function plain(value: string): Candidate {
  return { value, description: "" };
}

function candidate(value: string | undefined, description: unknown): Candidate {
  const text = typeof description === "string" ? description : "";
  return { value: value ?? "", description: text.slice(0, maximumDescription) };
}

/** The world of the unfinished call. It reports nothing and ends after a short time. */
function quietContext(
  environment: Environment,
  table: CommandTable,
  previous: readonly string[],
): CommandContext {
  const discarded = { isTerminal: false, columns: 80, write: () => Promise.resolve() };
  const quiet = {
    ...environment,
    stdout: discarded,
    stderr: discarded,
    signal: AbortSignal.any([environment.signal, AbortSignal.timeout(waitMs)]),
  };
  const output = new Output(quiet, { format: "text", colour: false, simple: true });
  const insecureHttp =
    previous.includes("--insecure-http") || environment.variables["SVC_INSECURE_HTTP"] === "1";
  return createContext(
    quiet,
    output,
    { profile: optionIn(previous, ["profile"]), insecureHttp },
    {
      table: () => Promise.resolve(table),
      schemas: () => Promise.reject(new Error("completion describes no answer")),
      openTerminal: undefined,
      runSvc: () => Promise.resolve(1),
      openImport: () => Promise.reject(new Error("completion opens no file")),
    },
  );
}

/** The value of an option among complete words. */
function optionIn(words: readonly string[], names: readonly string[]): string | undefined {
  for (const [index, word] of words.entries()) {
    const name = names.find((known) => word === `--${known}` || word.startsWith(`--${known}=`));
    if (name === undefined) continue;
    return word.includes("=") ? word.slice(name.length + 3) : words[index + 1];
  }
  return undefined;
}

function workspaceIn(words: readonly string[]): string | undefined {
  return optionIn(words, ["tenant-id", "workspace", "tenant"]);
}

/** The Object Type of the records that fit, from an earlier word or the option's name. */
function typeOf({ option, positionals, argument }: WantedValue): string | undefined {
  if (option !== undefined && contextTypes[option.name] !== undefined) {
    return contextTypes[option.name];
  }
  return argument?.name === "id" || option?.name === "ids" ? positionals[0] : undefined;
}

type Question = ValueRequest & {
  readonly type: string | undefined;
  readonly workspace: string | undefined;
  readonly by: Reference;
};

async function ask(context: CommandContext, question: Question): Promise<Candidate[]> {
  const { signal } = context;
  const { kind, type, workspace, by } = question;
  if (kind === "workspaces") {
    const client = await context.clientWithoutWorkspace();
    const { items } = await client.identity.tenants({ signal });
    return items.flatMap(({ id, slug, displayName }) => referred(by, slug, id, displayName));
  }
  const client = await context.client({ workspace });
  const limit = maximumValues;
  switch (kind) {
    case "types": {
      const { objectTypes } = await client.objectTypes.schema({ signal });
      return objectTypes.map(({ slug, displayName }) => candidate(slug, displayName));
    }
    case "records": {
      if (type === undefined) return [];
      const { items } = await client.useResources(type).list({ limit, signal });
      return items.map(({ id, data }) => candidate(id, labelOf(data)));
    }
    case "documents": {
      const { items } = await client.useDocuments().list({ limit, signal });
      return items.flatMap((item) =>
        referred(by, item.documentNumber, item.documentId, item.filename),
      );
    }
    case "jobs": {
      const { items } = await client.documents.listJobs({ query: { limit }, signal });
      return items.map((item) => candidate(item.jobId, item.status));
    }
    case "members": {
      const { items } = await client.members.list({ query: { limit }, signal });
      return items.map((item) => candidate(item.email ?? item.memberId, item.displayName));
    }
    case "roles": {
      const { items } = await client.members.roleDefinitions({ signal });
      return items.map(({ key, displayName }) => candidate(key, displayName));
    }
    case "starters": {
      const { items } = await client.starterTemplates.list({ signal });
      return items.map(({ key, displayName }) => candidate(key, displayName));
    }
    case "apps": {
      const { items } = await client.useResources(enrollmentType).list({ limit, signal });
      return items.map(enrollmentOf).map(({ key, displayName }) => candidate(key, displayName));
    }
    case "workflows": {
      const { items } = await client.useResources("shared-workflow-config").list({ limit, signal });
      return items.map(({ data }) => candidate(workflowKeyOf(data), data["display_name"]));
    }
    default:
      return [];
  }
}

/** A short text of a record's data, in the order of its properties. */
function labelOf(data: Readonly<Record<string, unknown>>): string {
  const texts = Object.values(data).filter(
    (value): value is string => typeof value === "string" && value !== "",
  );
  return texts.slice(0, 2).join(", ");
}
