import { textOption } from "#cli/command.ts";
import { usageFormatError } from "#cli/errors.ts";
import type { Client } from "#client/surface.ts";
import { auditOutcomes } from "#contract/workspaces/audit-values.ts";
import type { AuditEntry, AuditHead, AuditQuery } from "#contract/workspaces/audit.ts";
import type { CommandContext } from "../kit/context.ts";
import { workspaceOption } from "../kit/workspaces/options.ts";
import { parseDuration } from "../kit/input/duration.ts";

/** Options and requests that the `audit` commands share. */

export const logOptions = {
  workspace: workspaceOption,
  platform: {
    type: "boolean",
    description: "The platform's own log instead: sign-ins, accounts, purges",
    excludes: ["workspace"],
  },
} as const;

export const logRoutes = ["audit.list", "audit.listPlatform"] as const;
export const headRoutes = ["audit.head", "audit.headPlatform"] as const;

export const filterOptions = {
  actor: textOption("oid", "Only what this caller did; the `oid` of `svc whoami`"),
  action: textOption("route", "Only this route, e.g. members.setRole, or members.*"),
  outcome: {
    type: "string",
    values: auditOutcomes,
    placeholder: "outcome",
    description: "Only entries with this outcome",
  },
  "request-id": textOption("id", "Only the request with this X-Request-Id"),
  since: textOption("time", "From this time, e.g. 2026-11-01T00:00:00Z, or 7d ago"),
  until: textOption("time", "Before this time"),
} as const;

interface Filters {
  readonly actor?: string;
  readonly action?: string;
  readonly outcome?: string;
  readonly "request-id"?: string;
  readonly since?: string;
  readonly until?: string;
}

export function filterOf(options: Filters): Partial<AuditQuery> {
  const { actor, action, outcome, since, until } = options;
  return {
    actor,
    action,
    outcome: auditOutcomes.find((known) => known === outcome),
    requestId: options["request-id"],
    since: timeOf("--since", since),
    until: timeOf("--until", until),
  };
}

/** A time as it is, or before now by a duration such as `7d`. */
function timeOf(flag: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const agoMs = parseDuration(text);
  const time = agoMs === undefined ? new Date(text) : new Date(Date.now() - agoMs);
  if (Number.isNaN(time.getTime())) {
    throw usageFormatError(`${flag} "${text}"`, "2026-11-01T00:00:00Z, 24h, 7d");
  }
  return time.toISOString();
}

export interface LogChoice {
  readonly workspace?: string;
  readonly platform: boolean;
}

/** A client for the chosen log; that of the platform needs no workspace. */
export function logClient(
  context: CommandContext,
  { workspace, platform }: LogChoice,
): Promise<Client> {
  return platform ? context.clientWithoutWorkspace() : context.client({ workspace });
}

/** One page of a log; without a workspace it is the platform's. */
export function logPage(
  client: Client,
  isPlatform: boolean,
  query: Partial<AuditQuery>,
  signal: AbortSignal,
) {
  return isPlatform
    ? client.audit.listPlatform({ query, signal })
    : client.audit.list({ query, signal });
}

export async function logHead(
  client: Client,
  isPlatform: boolean,
  signal: AbortSignal,
): Promise<AuditHead> {
  return isPlatform ? client.audit.headPlatform({ signal }) : client.audit.head({ signal });
}

export function entriesWords(count: number): string {
  return count === 1 ? "1 entry" : `${count.toLocaleString("en")} entries`;
}

const pageSize = 500;

/** The pages of a log from its oldest entry. */
export async function* wholeLog(
  client: Client,
  isPlatform: boolean,
  filter: Partial<AuditQuery>,
  signal: AbortSignal,
): AsyncGenerator<readonly AuditEntry[], void, undefined> {
  let cursor: string | undefined;
  for (;;) {
    const query = { ...filter, order: "asc", limit: pageSize, cursor } as const;
    const page = await logPage(client, isPlatform, query, signal);
    yield page.items;
    if (page.hasNextPage !== true || typeof page.nextCursor !== "string") return;
    cursor = page.nextCursor;
  }
}
