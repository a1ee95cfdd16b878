import type { Fault, JsonObject } from "#client/index.ts";
import { textIn } from "#client/enrollments.ts";
import type { AlertChannels } from "#contract/events/alerts.ts";
import { pointer } from "#lib/json/pointer.ts";
import { given } from "#lib/given.ts";
import { sameJson } from "#lib/json/same.ts";
import { formField, type FormField } from "../kit/forms/form-field.ts";
import { textsIn } from "../kit/forms/field-text.ts";
import type { CommandOptions } from "../kit/text/command-line.ts";

interface NamedRule {
  readonly id: string;
  readonly name: string;
}

/** The fields of a choice; that for a role has no times and no rules. */
export function channelFields(
  { role }: AlertChannels,
  rules: readonly NamedRule[],
): readonly FormField[] {
  const mail = formField("mail", "mail", {
    kind: "choice",
    isRequired: true,
    hint: "one of its choices, by ← → or its first letters",
    choices: [
      { text: "at most one an hour", value: true },
      { text: "none", value: false },
    ],
    fallback: true,
  });
  if (role !== undefined) return [mail];
  return [
    mail,
    formField("mutedUntil", "muted until", {
      hint: "alerts before this time are not mailed: 2027-01-04T08:00Z; empty for none",
    }),
    formField("mutedRules", "muted rules", {
      kind: "list",
      choices: rules.map(({ id, name }) => ({ text: name, value: id })),
      hint: "rules whose alerts are never mailed, one in each line",
    }),
  ];
}

export function channelData({ mail, mutedUntil, mutedRules = [] }: AlertChannels): JsonObject {
  return given({
    mail: mail !== false,
    mutedUntil: mutedUntil ?? undefined,
    mutedRules: mutedRules.length === 0 ? undefined : mutedRules,
  });
}

/** Returns the faults of the form. */
export function channelFaults(data: JsonObject): Fault[] {
  const until = textIn(data, "mutedUntil");
  if (until === undefined || !Number.isNaN(Date.parse(until))) return [];
  const detail = "must be a time such as 2027-01-04T08:00Z";
  return [{ pointer: pointer("mutedUntil"), detail }];
}

function choiceOf(data: JsonObject) {
  const until = textIn(data, "mutedUntil");
  return {
    mail: data["mail"] !== false,
    mutedUntil: until === undefined ? null : new Date(until).toISOString(),
    mutedRules: textsIn(data["mutedRules"]),
  };
}

/** The members of the choice that were changed. */
export function channelChanges(before: JsonObject, after: JsonObject) {
  const [old, now] = [choiceOf(before), choiceOf(after)];
  const other = <Value>(was: Value, is: Value) => (sameJson(was, is) ? undefined : is);
  return given({
    mail: other(old.mail, now.mail),
    mutedUntil: other(old.mutedUntil, now.mutedUntil),
    mutedRules: other(old.mutedRules, now.mutedRules),
  });
}

const none = "none";

/** The options of the command with these changes. */
export function channelOptions({
  mail,
  mutedUntil,
  mutedRules,
}: ReturnType<typeof channelChanges>): CommandOptions {
  const rules = mutedRules?.length === 0 ? none : mutedRules?.join(",");
  return {
    ...(mail === undefined ? {} : { [mail ? "mail" : "no-mail"]: true }),
    "muted-until": mutedUntil === null ? none : mutedUntil,
    "muted-rules": rules,
  };
}
