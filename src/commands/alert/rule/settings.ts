import { textOption } from "#cli/command.ts";
import type { AlertRule } from "#contract/events/alerts.ts";
import { watchedKinds } from "#contract/events/alert-values.ts";
import { usageError } from "#cli/errors.ts";
import { given } from "#lib/given.ts";
import type { CommandContext } from "../../kit/context.ts";
import { readObject } from "../../kit/input/data.ts";
import { whereOption } from "../../kit/output/pages.ts";
import { nameList } from "../../kit/output/rows.ts";
import { workspaceOption } from "../../kit/workspaces/options.ts";

/** The options of a rule's settings and its recipient. */
export const ruleOptions = {
  kinds: textOption("kinds", "Kinds of changes, separated by commas (default: all)"),
  types: textOption("slugs", "Object Types, separated by commas; one for a deadline"),
  operations: textOption("words", "Operations, e.g. created,deleted (default: all)"),
  where: whereOption,
  property: textOption("name", "Date of a deadline (default: the one with the meaning due)"),
  days: {
    type: "number",
    minimum: 0,
    maximum: 365,
    description: "Days before a deadline",
  },
  percent: {
    type: "number",
    minimum: 1,
    maximum: 100,
    description: "Part of a quota (default: 80)",
  },
  role: textOption("role", "For the members with this role or a higher one"),
  "user-id": { ...textOption("id", "For this member (default: yourself)"), excludes: ["role"] },
  workspace: workspaceOption,
} as const;

export interface GivenSettings {
  readonly kinds?: string;
  readonly types?: string;
  readonly operations?: string;
  readonly where?: string;
  readonly property?: string;
  readonly days?: number;
  readonly percent?: number;
  readonly role?: string;
  readonly "user-id"?: string;
}

/** The settings as a request has them. Throws E305, wrong usage, for an unknown kind. */
export async function settingsOf(context: CommandContext, options: GivenSettings) {
  const { property, days, percent, role, "user-id": userId } = options;
  const list = (flag: string, text: string | undefined) =>
    text === undefined ? undefined : nameList(flag, text);
  const kinds = list("--kinds", options.kinds)?.map((name) => {
    const kind = watchedKinds.find((each) => each === name);
    if (kind === undefined) {
      throw usageError(`--kinds: "${name}" is not one of ${watchedKinds.join(", ")}`);
    }
    return kind;
  });
  return given({
    kinds,
    types: list("--types", options.types),
    operations: list("--operations", options.operations),
    where: await readObject(context, options.where, "--where"),
    property,
    days,
    percent,
    role,
    userId,
  });
}

/** A rule as people read it. */
export function ruleFields(rule: AlertRule): [string, string | undefined][] {
  return [
    ["rule", rule.id],
    ["name", rule.name],
    ["kind", rule.kind],
    ["kinds", rule.kinds?.join(", ")],
    ["types", rule.types?.join(", ")],
    ["operations", rule.operations?.join(", ")],
    ["where", rule.where && JSON.stringify(rule.where)],
    ["property", rule.property],
    ["days", rule.days?.toString()],
    ["percent", rule.percent?.toString()],
    ["for", rule.role ?? rule.userId ?? ""],
    ["enabled", rule.enabled === false ? `no (${rule.disabledReason ?? "request"})` : "yes"],
  ];
}
