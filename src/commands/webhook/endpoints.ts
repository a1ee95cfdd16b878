import { textOption } from "#cli/command.ts";
import type { Shown } from "#cli/shown.ts";
import type { Output } from "#cli/output/output.ts";
import type { WebhookDelivery, WebhookEndpoint } from "#contract/events/webhooks.ts";
import { changeKinds } from "#contract/events/webhook-values.ts";
import { roles } from "#contract/access/roles.ts";
import type { JsonObject } from "#contract/values.ts";
import { given } from "#lib/given.ts";
import { canonicalUuid } from "#lib/uuid.ts";
import { usageFormatError } from "#cli/errors.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { requireJson } from "../kit/input/data.ts";

export const endpointArgument = {
  name: "endpoint",
  description: "ID of the endpoint; `svc webhook list`",
} as const;

export const deliveryArgument = {
  name: "delivery",
  description: "ID of the delivery; `svc webhook deliveries <endpoint>`",
} as const;

export function endpointIdOf(text: string): string {
  return canonicalUuid(text) ?? text;
}

/** The options that choose events; without them all that the role may read. */
export const filterOptions = {
  kind: {
    type: "string",
    values: changeKinds,
    placeholder: "kind",
    repeatable: true,
    description: "Only events of this kind; repeatable",
  },
  type: { ...textOption("slug", "Only records of this Object Type; repeatable"), repeatable: true },
  where: textOption("json", "Only records that match this filter on indexed properties"),
} as const;

/** The options of how events are sent. */
export const deliveryOptions = {
  ...filterOptions,
  rule: {
    ...textOption("id", "Only alerts of this rule for a role; repeatable"),
    repeatable: true,
    excludes: ["type", "where"],
  },
  full: {
    type: "boolean",
    description: "Send the record in the version of its change, not only what changed",
  },
  role: {
    type: "string",
    values: roles,
    description: "Role by whose rights events are read (default tenant-viewer)",
  },
  ordered: {
    type: "boolean",
    description: "Send the events of a record one after the other, also while one is retried",
  },
  description: textOption("text", "Purpose of the endpoint"),
} as const;

interface FilterInput {
  readonly kind?: readonly string[] | undefined;
  readonly type?: readonly string[] | undefined;
  readonly where?: string | undefined;
}

export function filterOf({ kind, type, where }: FilterInput): {
  kinds?: (typeof changeKinds)[number][];
  types?: string[];
  where?: JsonObject;
} {
  return given({
    kinds: kind && kind.length > 0 ? changeKinds.filter((each) => kind.includes(each)) : undefined,
    types: type && type.length > 0 ? [...type] : undefined,
    where: where === undefined ? undefined : whereOf(where),
  });
}

function whereOf(text: string): JsonObject {
  const where = requireJson(text, "--where");
  if (isJsonObject(where)) return where;
  throw usageFormatError("--where", "a JSON object");
}

interface DeliveryInput extends FilterInput {
  readonly rule?: readonly string[] | undefined;
  readonly full?: boolean | undefined;
  readonly role?: (typeof roles)[number] | undefined;
  readonly ordered?: boolean | undefined;
  readonly description?: string | undefined;
}

export function settingsOf(options: DeliveryInput) {
  const { rule = [], full, role, ordered, description } = options;
  return {
    ...filterOf(options),
    ...(rule.length === 0 ? {} : { rules: rule.map(endpointIdOf) }),
    ...(full === true ? { body: "full" as const } : {}),
    ...(ordered === true ? { ordered } : {}),
    ...given({ role, description }),
  };
}

export function eventWords({ kinds, types, rules }: WebhookEndpoint): string {
  if (rules) return `alerts of ${rules.join(", ")}`;
  const parts = [kinds?.join(", "), types?.join(", ")].filter((part) => part !== undefined);
  return parts.length === 0 ? "all" : parts.join(" of ");
}

/** The URL of an endpoint, or why it has none. */
export function addressOf({ url, expiresAt }: WebhookEndpoint): string {
  return url ?? (expiresAt ? "none: deliveries are pulled" : "none yet");
}

export function stateWords(endpoint: WebhookEndpoint): string {
  const { status = "", disabledReason, consecutiveFailures = 0 } = endpoint;
  if (disabledReason) return `${status}: ${disabledReason}`;
  return consecutiveFailures === 0 ? status : `${status}, ${consecutiveFailures} failures in a row`;
}

export function endpointLines(output: Output, endpoint: WebhookEndpoint): Shown[] {
  return output.fields([
    ["id", endpoint.id],
    ["url", addressOf(endpoint)],
    ["description", endpoint.description],
    ["events", eventWords(endpoint)],
    ["body", endpoint.body],
    ["role", endpoint.role],
    ["ordered", endpoint.ordered === true ? "yes" : "no"],
    ["state", stateWords(endpoint)],
    ["last delivered", endpoint.lastDeliveredAt ?? "never"],
    ["last failed", endpoint.lastFailedAt ?? "never"],
    ["public key", endpoint.publicKey],
  ]);
}

type Answer = Pick<WebhookDelivery, "responseStatus" | "error">;

export function answerWords({ responseStatus, error }: Answer): string {
  return (
    error ?? (responseStatus === null || responseStatus === undefined ? "" : `${responseStatus}`)
  );
}
