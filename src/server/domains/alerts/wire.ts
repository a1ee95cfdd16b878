import type { Alert, AlertRule, RuleSettings } from "#contract/events/alerts.ts";
import type { AlertRecord } from "./alert-store.ts";
import type { RuleRecord } from "./store.ts";

/** The facts of a cause, as they are stored. */
export interface About {
  readonly eventId?: string | undefined;
  readonly kind?: string | undefined;
  readonly operation?: string | undefined;
  /** The slug of the record's type, or the kind of a job. */
  readonly type?: string | undefined;
  readonly version?: number | undefined;
  readonly property?: string | undefined;
  readonly due?: string | undefined;
  readonly quota?: string | undefined;
  readonly limit?: number | undefined;
  readonly used?: number | undefined;
  readonly reason?: string | undefined;
  /** The time since when changes are held back, or earlier. */
  readonly since?: string | undefined;
}

/** The reason of an alert about a transaction that stays open. */
export const heldBack = "held-back";

export function settingsOf({ settings }: Pick<RuleRecord, "settings">): RuleSettings {
  // Only the rules of this domain write the column.
  return JSON.parse(settings) as RuleSettings;
}

export function ruleOf(row: RuleRecord): AlertRule {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    ...settingsOf(row),
    role: row.to_role,
    userId: row.to_user,
    enabled: row.state === "active",
    disabledReason: row.disabled_reason,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

export function alertOf(row: AlertRecord): Alert {
  const about = JSON.parse(row.about) as About;
  const isOfRecord = about.kind === "record" || about.kind === "file";
  return {
    id: row.id,
    ruleId: row.rule_id,
    ruleName: row.rule_name,
    kind: row.kind,
    message: messageOf(row, about),
    subject: row.subject,
    objectType: isOfRecord ? (about.type ?? null) : null,
    about: { ...about },
    role: row.to_role,
    userId: row.to_user,
    status: row.acknowledged_at === null ? "open" : "acknowledged",
    raisedAt: row.created_at,
    acknowledgedAt: row.acknowledged_at,
    acknowledgedBy: row.acknowledged_by,
  };
}

function messageOf({ kind, subject }: AlertRecord, about: About): string {
  const { type, operation, property, due, quota, limit = 0, used = 0, reason, since } = about;
  const thing = `${type ?? about.kind ?? ""} ${subject ?? ""}`.trim();
  switch (kind) {
    case "deadline":
      return `${thing}: ${property} is ${due}`;
    case "job":
      return `The job ${thing} failed`;
    case "endpoint":
      return `The webhook endpoint ${subject} fails or is disabled`;
    case "quota": {
      const part = Math.floor((100 * used) / limit);
      return `The workspace uses ${part} % of its quota: ${used.toLocaleString("en")} of ${limit.toLocaleString("en")} ${quota}`;
    }
    case "feed":
      if (reason === heldBack) {
        return `Changes come late: a transaction of the database is open since ${since} or earlier`;
      }
      return `Changes before this alert may have raised no alert: the feed was reset (${reason})`;
    default:
      return `${thing} was ${operation}`;
  }
}
