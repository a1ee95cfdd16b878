import type { Alert, AlertRule } from "#contract/events/alerts.ts";
import { fieldLines, jsonLines, textLines, type StyledLine } from "../kit/text/styled-lines.ts";
import { distanceWords } from "../kit/text/words.ts";
import { statusLook } from "../kit/theme/theme.ts";

/** The name of a member, or undefined while it is not known. */
type NameOf = (id: string) => string | undefined;

interface Area {
  readonly width: number;
  readonly nowMs: number;
}

const noName: NameOf = () => undefined;

interface Recipient {
  readonly role?: string | null | undefined;
  readonly userId?: string | null | undefined;
}

/** The recipients of an alert or a rule: those with a role, or one member. */
export function recipientWords({ role, userId }: Recipient, nameOf?: NameOf): string {
  if (role) return role.replace("tenant-", "");
  return userId ? (nameOf?.(userId) ?? userId) : "";
}

function whenWords(at: string | null | undefined, nowMs: number): string {
  return at ? `${distanceWords(at, nowMs)} · ${at}` : "";
}

export function alertLines(
  alert: Alert,
  { width, nowMs }: Area,
  nameOf: NameOf = noName,
): StyledLine[] {
  const { status = "", acknowledgedBy, acknowledgedAt, about } = alert;
  const { glyph, token } = statusLook(status);
  const by = acknowledgedBy ? (nameOf(acknowledgedBy) ?? acknowledgedBy) : "";
  const facts = fieldLines(
    [
      { name: "state", value: `${glyph} ${status}`, as: token },
      { name: "kind", value: alert.kind ?? "" },
      { name: "rule", value: alert.ruleName ?? alert.ruleId ?? "" },
      { name: "for", value: recipientWords(alert, nameOf) },
      { name: "about", value: [alert.objectType, alert.subject].filter(Boolean).join("/") },
      { name: "raised", value: whenWords(alert.raisedAt, nowMs) },
      ...(acknowledgedAt
        ? [{ name: "acknowledged", value: `${whenWords(acknowledgedAt, nowMs)} by ${by}` }]
        : []),
      { name: "id", value: alert.id },
    ],
    width,
  );
  const message = textLines(alert.message ?? "", width);
  const head: StyledLine = [{ text: "The facts of its cause:", as: "quiet" }];
  return [
    ...message,
    [],
    ...facts,
    ...(about === undefined ? [] : [[], head, ...jsonLines(about, width)]),
  ];
}

/** The things that a rule watches, in one line. */
export function ruleSubject(rule: AlertRule): string {
  const { kind = "", kinds, types, operations, property, days, percent, where } = rule;
  const parts = [
    kinds?.join(", "),
    types?.join(", "),
    operations?.join(", "),
    property,
    days === undefined ? undefined : `${days} days before`,
    percent === undefined ? undefined : `from ${percent} %`,
    where === undefined ? undefined : JSON.stringify(where),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? `every ${kind}` : parts.join(" · ");
}

/** Whether a rule raises alerts: `active`, else `muted`, or why it can't. */
export function ruleState({ enabled, disabledReason }: AlertRule): string {
  if (enabled !== false) return "active";
  return disabledReason === "filter" ? "its type or property is gone" : "muted";
}

export function ruleLines(
  rule: AlertRule,
  { width, nowMs }: Area,
  nameOf: NameOf = noName,
): StyledLine[] {
  const state = ruleState(rule);
  const { glyph, token } = statusLook(state === "active" ? "active" : "suspended");
  const list = (values: readonly string[] | undefined) => values?.join(", ") ?? "all";
  const isOfEvents = rule.kind === "event";
  return fieldLines(
    [
      { name: "state", value: `${glyph} ${state}`, as: token },
      { name: "kind", value: rule.kind ?? "" },
      { name: "for", value: recipientWords(rule, nameOf) },
      ...(isOfEvents ? [{ name: "kinds", value: list(rule.kinds) }] : []),
      ...(rule.types === undefined ? [] : [{ name: "Object Types", value: list(rule.types) }]),
      ...(isOfEvents ? [{ name: "operations", value: list(rule.operations) }] : []),
      ...(rule.where === undefined ? [] : [{ name: "filter", value: JSON.stringify(rule.where) }]),
      ...(rule.property === undefined ? [] : [{ name: "date", value: rule.property }]),
      ...(rule.days === undefined ? [] : [{ name: "days before", value: String(rule.days) }]),
      ...(rule.percent === undefined ? [] : [{ name: "from", value: `${rule.percent} %` }]),
      { name: "made by", value: nameOf(rule.created_by ?? "") ?? rule.created_by ?? "" },
      { name: "made", value: whenWords(rule.created_at, nowMs) },
      { name: "changed", value: whenWords(rule.updated_at, nowMs) },
      { name: "id", value: rule.id },
    ],
    width,
  );
}
