import type { Fault, JsonObject } from "#client/index.ts";
import { textIn } from "#client/enrollments.ts";
import { roles } from "#contract/access/roles.ts";
import { alertKinds, ruleSettings, watchedKinds } from "#contract/events/alert-values.ts";
import type { AlertRule } from "#contract/events/alerts.ts";
import { pointer } from "#lib/json/pointer.ts";
import { given } from "#lib/given.ts";
import { sameJson } from "#lib/json/same.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { formField, textChoices, type FormField } from "../kit/forms/form-field.ts";
import { textsIn } from "../kit/forms/field-text.ts";
import type { CommandOptions } from "../kit/text/command-line.ts";

const chosen = "one of its choices, by ← → or its first letters";
const perLine = "one in each line; empty for all";
/** The value of the recipient that stands for the user. */
const myself = "";

/** The fields of a rule; `rule` is the one that is changed, whose kind stays. */
export function ruleFields(types: readonly string[], rule: AlertRule | undefined): FormField[] {
  const choice = { kind: "choice", isRequired: true, hint: chosen } as const;
  const member = rule?.userId ? [{ text: "one member, as now", value: rule.userId }] : [];
  const mine = rule === undefined ? [{ text: "yourself", value: myself }] : member;
  const kind = formField("kind", "kind", {
    ...choice,
    choices: textChoices(alertKinds),
    fallback: "event",
  });
  return [
    formField("name", "name", { isRequired: true, hint: "as its alerts show it" }),
    rule === undefined ? kind : { ...kind, locked: "a rule keeps its kind" },
    formField("types", "Object Types", {
      kind: "list",
      choices: textChoices(types),
      hint: `${perLine}; one for a deadline`,
    }),
    formField("where", "filter", {
      kind: "json",
      hint: 'a filter on indexed properties: {"status":"refused"}',
    }),
    formField("kinds", "kinds of changes", {
      kind: "list",
      choices: textChoices(watchedKinds),
      hint: perLine,
    }),
    formField("operations", "operations", {
      kind: "list",
      choices: textChoices(["created", "updated", "deleted"]),
      hint: perLine,
    }),
    formField("property", "date", { hint: "of a deadline; empty for the one that is due" }),
    formField("days", "days before", { kind: "number", hint: "of a deadline: 3" }),
    formField("percent", "percent", { kind: "number", hint: "of a quota; empty for 80" }),
    formField("recipient", "for", {
      ...choice,
      choices: [...mine, ...textChoices(roles)],
      fallback: myself,
    }),
  ];
}

interface Settings {
  readonly name: string;
  readonly kinds: (typeof watchedKinds)[number][] | undefined;
  readonly types: string[] | undefined;
  readonly operations: string[] | undefined;
  readonly where: JsonObject | undefined;
  readonly property: string | undefined;
  readonly days: number | undefined;
  readonly percent: number | undefined;
  readonly role: string | undefined;
}

function settingsOf(data: JsonObject): Settings {
  const listOf = (name: string) => {
    const texts = textsIn(data[name]);
    return texts.length === 0 ? undefined : texts;
  };
  const numberOf = (name: string) => {
    const value = data[name];
    return typeof value === "number" ? value : undefined;
  };
  const kinds = listOf("kinds");
  const { where } = data;
  return {
    name: textIn(data, "name") ?? "",
    kinds: kinds && watchedKinds.filter((kind) => kinds.includes(kind)),
    types: listOf("types"),
    operations: listOf("operations"),
    where: isJsonObject(where) ? where : undefined,
    property: textIn(data, "property"),
    days: numberOf("days"),
    percent: numberOf("percent"),
    role: roles.find((role) => role === data["recipient"]),
  };
}

export function ruleData(rule: AlertRule): JsonObject {
  const { name, kind, kinds, types, operations, where, property, days, percent } = rule;
  const recipient = rule.role ?? rule.userId ?? myself;
  return given({ name, kind, kinds, types, operations, where, property, days, percent, recipient });
}

/** Returns the faults of the form. */
export function ruleFaults(data: JsonObject): Fault[] {
  const known: readonly string[] = watchedKinds;
  const unknown = textsIn(data["kinds"]).find((kind) => !known.includes(kind));
  const { where } = data;
  const fault = (name: string, detail: string) => ({ pointer: pointer(name), detail });
  return [
    ...(unknown === undefined
      ? []
      : [fault("kinds", `has ${unknown}, which is no kind of change`)]),
    ...(where === undefined || isJsonObject(where)
      ? []
      : [fault("where", "must be a JSON object")]),
  ];
}

/** The body that creates a rule. */
export function ruleCreation(data: JsonObject) {
  const { name, ...settings } = settingsOf(data);
  const kind = alertKinds.find((each) => each === data["kind"]) ?? "event";
  return { name, kind, ...given(settings) };
}

/** The settings of the form that were changed; null removes one. */
export function ruleChanges(before: JsonObject, after: JsonObject) {
  const [old, now] = [settingsOf(before), settingsOf(after)];
  const other = <Value>(was: Value, is: Value) =>
    sameJson(was, is) ? undefined : is === undefined ? null : is;
  return given({
    name: now.name === old.name ? undefined : now.name,
    kinds: other(old.kinds, now.kinds),
    types: other(old.types, now.types),
    operations: other(old.operations, now.operations),
    where: other(old.where, now.where),
    property: other(old.property, now.property),
    days: other(old.days, now.days),
    percent: other(old.percent, now.percent),
    role: now.role === old.role ? undefined : now.role,
  });
}

/** The options of the command with these settings. */
export function ruleOptions(settings: ReturnType<typeof ruleChanges>): CommandOptions {
  const { name, kinds, types, operations, where, property, days, percent, role } = settings;
  const removed = ruleSettings.filter((each) => settings[each] === null);
  return {
    name,
    kinds: kinds?.join(","),
    types: types?.join(","),
    operations: operations?.join(","),
    where: isJsonObject(where) ? JSON.stringify(where) : undefined,
    property: property ?? undefined,
    days: days ?? undefined,
    percent: percent ?? undefined,
    role,
    clear: removed.length === 0 ? undefined : removed.join(","),
  };
}
