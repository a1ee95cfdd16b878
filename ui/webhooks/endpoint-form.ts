import type { Fault, JsonObject } from "#client/index.ts";
import { textIn } from "#client/enrollments.ts";
import { roles } from "#contract/access/roles.ts";
import { changeKinds } from "#contract/events/webhook-values.ts";
import type { WebhookEndpoint } from "#contract/events/webhooks.ts";
import { pointer } from "#lib/json/pointer.ts";
import { given } from "#lib/given.ts";
import { sameJson } from "#lib/json/same.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { formField, textChoices, type FormField } from "../kit/forms/form-field.ts";
import { textsIn } from "../kit/forms/field-text.ts";
import type { CommandOptions } from "../kit/text/command-line.ts";

const chosen = "one of its choices, by ← → or its first letters";

/** An alert rule as a choice. */
export interface NamedRule {
  readonly id: string;
  readonly name: string;
}

/** The fields of an endpoint for Object Types, by their slugs, and for alert rules of a role. */
export function endpointFields(
  types: readonly string[],
  rules: readonly NamedRule[] = [],
): FormField[] {
  const choice = { kind: "choice", isRequired: true, hint: chosen } as const;
  return [
    formField("url", "url", { isRequired: true, hint: "https://…, where events are sent" }),
    formField("description", "purpose"),
    formField("kinds", "kinds", {
      kind: "list",
      choices: textChoices(changeKinds),
      hint: "one in each line; empty for all",
    }),
    formField("types", "Object Types", {
      kind: "list",
      choices: textChoices(types),
      hint: "one in each line; empty for all",
    }),
    formField("where", "filter", {
      kind: "json",
      hint: 'a filter on indexed properties: {"status":"open"}',
    }),
    formField("rules", "alert rules", {
      kind: "list",
      choices: rules.map(({ id, name }) => ({ text: name, value: id })),
      hint: "ids of rules whose alerts alone are sent, one in each line; empty for none",
    }),
    formField("body", "body", {
      ...choice,
      choices: [
        { text: "thin: what changed", value: "thin" },
        { text: "full: with the record", value: "full" },
      ],
      fallback: "thin",
    }),
    formField("role", "reads as", {
      ...choice,
      choices: textChoices(roles),
      fallback: "tenant-viewer",
    }),
    formField("ordered", "order", {
      ...choice,
      choices: [
        { text: "none", value: false },
        { text: "kept for each record", value: true },
      ],
      fallback: false,
    }),
  ];
}

/** The faults that this client sees; the platform checks the address and the filter. */
export function endpointFaults(data: JsonObject): Fault[] {
  const url = textIn(data, "url") ?? "";
  const isWeb = /^https?:$/.test(URL.parse(url)?.protocol ?? "");
  const known: readonly string[] = changeKinds;
  const unknown = textsIn(data["kinds"]).find((kind) => !known.includes(kind));
  const where = data["where"];
  return [
    ...(isWeb ? [] : [{ pointer: pointer("url"), detail: "must be an http or https URL" }]),
    ...(unknown === undefined
      ? []
      : [{ pointer: pointer("kinds"), detail: `has ${unknown}, which is no kind of change` }]),
    ...(where === undefined || isJsonObject(where)
      ? []
      : [{ pointer: pointer("where"), detail: "must be a JSON object" }]),
  ];
}

function settingsOf(data: JsonObject) {
  const kinds = textsIn(data["kinds"]);
  const types = textsIn(data["types"]);
  const rules = textsIn(data["rules"]);
  const { where } = data;
  return {
    url: textIn(data, "url") ?? "",
    description: textIn(data, "description") ?? "",
    kinds: kinds.length === 0 ? null : changeKinds.filter((kind) => kinds.includes(kind)),
    types: types.length === 0 ? null : types,
    where: isJsonObject(where) ? where : null,
    rules: rules.length === 0 ? null : rules,
    body: data["body"] === "full" ? ("full" as const) : ("thin" as const),
    role: roles.find((role) => role === data["role"]) ?? "tenant-viewer",
    ordered: data["ordered"] === true,
  };
}

/** The data of the form of an endpoint that exists. */
export function endpointData(endpoint: WebhookEndpoint): JsonObject {
  const { url, description, kinds, types, where, rules, body, role, ordered } = endpoint;
  const ofNone = <Value>(value: Value | null | undefined) => value ?? undefined;
  return given({
    url: ofNone(url),
    description: description === "" ? undefined : description,
    kinds: ofNone(kinds),
    types: ofNone(types),
    where: ofNone(where),
    rules: ofNone(rules),
    body,
    role,
    ordered,
  });
}

/** The body that creates an endpoint. */
export function endpointCreation(data: JsonObject) {
  const { kinds, types, where, rules, ...others } = settingsOf(data);
  return {
    ...others,
    ...given({
      kinds: kinds ?? undefined,
      types: types ?? undefined,
      where: where ?? undefined,
      rules: rules ?? undefined,
    }),
  };
}

/** The changed settings alone: an unchanged role stays, also one above the caller's. */
export function endpointChanges(before: JsonObject, after: JsonObject) {
  const [old, now] = [settingsOf(before), settingsOf(after)];
  const other = <Value>(was: Value, is: Value) => (sameJson(was, is) ? undefined : is);
  return given({
    url: other(old.url, now.url),
    description: other(old.description, now.description),
    kinds: other(old.kinds, now.kinds),
    types: other(old.types, now.types),
    where: other(old.where, now.where),
    rules: other(old.rules, now.rules),
    body: other(old.body, now.body),
    role: other(old.role, now.role),
    ordered: other(old.ordered, now.ordered),
  });
}

type Changes = ReturnType<typeof endpointChanges>;

/** The options of the command with these settings; undefined where no option removes one. */
export function endpointOptions(settings: Changes): CommandOptions | undefined {
  const { kinds, types, where, rules, body, role, ordered, description } = settings;
  const isRemoval = kinds === null || types === null || where === null || rules === null;
  if (isRemoval || body === "thin" || ordered === false) return undefined;
  return given({
    kind: kinds,
    type: types,
    where: where === undefined ? undefined : JSON.stringify(where),
    rule: rules,
    full: body === "full" ? true : undefined,
    role,
    ordered,
    description,
  });
}

/** The options of the command that creates the endpoint, without those of the defaults. */
export function creationOptions(data: JsonObject): CommandOptions {
  const defaults = { url: textIn(data, "url") ?? "", role: "tenant-viewer" };
  return endpointOptions(endpointChanges(defaults, data)) ?? {};
}
