import type { AlertKind } from "#contract/events/alert-values.ts";
import type { FeedEvent } from "../feed/service.ts";
import type { CompiledRule } from "./compiled-rule.ts";
import type { Needs } from "./reads.ts";
import type { About } from "./wire.ts";

/** A cause raises one alert of a rule for each `key`. */
export interface Cause {
  readonly key: string;
  readonly subject: string | null;
  readonly about: About;
  readonly needs: Needs;
}

/** Changes of the kind `alert` whose operation is another one are about webhooks. */
const ownOperations: ReadonlySet<string> = new Set(["raised", "acknowledged"]);
/** A call from outside that has failed is not about an endpoint. */
const ofSources = "webhook-source";

/**
 * Changes of rules and of mails raise no alert: a rule would report that it was made. Trouble with
 * webhooks has its own events.
 */
const quietSettings: ReadonlySet<string | undefined> = new Set([
  "alert-rule",
  "alert-channel",
  "webhook-endpoint",
  "webhook-source",
]);

/** The cause that an event is for a rule; undefined if it raises no alert. */
export function causeOf(
  kind: AlertKind,
  rule: CompiledRule & { readonly operations: readonly string[] | undefined },
  event: FeedEvent,
): Cause | undefined {
  if (!isMatch(kind, rule, event)) return undefined;
  const { id, subject, kind: changed, op, type, version } = event;
  return {
    key: id,
    subject,
    about: { eventId: id, kind: changed, operation: op, type, version },
    needs: kind === "endpoint" ? { role: "tenant-admin" } : needsOf(event, rule.names),
  };
}

/** The rights by which the feed shows a change, which a reader of its alert needs too. */
function needsOf(
  { kind, type, subject, changed = [] }: FeedEvent,
  names: readonly string[],
): Needs {
  switch (kind) {
    case "record":
      return { kind, type, names };
    case "file":
      return { kind, type, names: [...new Set([...names, ...changed])] };
    case "object-type":
      return { kind, of: subject };
    case "setting":
      return { kind, of: type };
    default:
      return { kind };
  }
}

function isMatch(
  ruleKind: AlertKind,
  { filter, names, operations }: Parameters<typeof causeOf>[1],
  event: FeedEvent,
): boolean {
  const { kind, op, type, after } = event;
  if (ruleKind === "job") {
    return kind === "job" && (op === "failed" || after?.["state"] === "failed");
  }
  if (ruleKind === "endpoint") {
    return kind === "alert" && !ownOperations.has(op) && type !== ofSources;
  }
  if (ruleKind !== "event" || kind === "alert" || kind === "conversation" || kind === "feed") {
    return false;
  }
  if (kind === "setting" && quietSettings.has(type)) return false;
  if (operations?.includes(op) === false || filter.matches(event) !== "in") return false;
  // A record that matches already raises no alert for each of its changes.
  if (names.length === 0) return true;
  if (after === undefined) return operations !== undefined;
  const { before, ...rest } = event;
  return before === undefined || filter.matches({ ...rest, after: before }) !== "in";
}
