import type { Fault, JsonObject } from "#client/index.ts";
import { textIn } from "#client/enrollments.ts";
import { roles } from "#contract/access/roles.ts";
import type { WebhookSource } from "#contract/events/webhook-sources.ts";
import { pointer } from "#lib/json/pointer.ts";
import { given } from "#lib/given.ts";
import { sameJson } from "#lib/json/same.ts";
import { ownMember } from "#lib/own-member.ts";
import { formField, textChoices, type FormField } from "../kit/forms/form-field.ts";
import type { CommandOptions } from "../kit/text/command-line.ts";

const schemeTypes = ["standard", "hmac", "timestamped", "token"] as const;
const chosen = "one of its choices, by ← → or its first letters";
const minimumSecret = 16;

/** The fields of a source; a new one may get the secret that its sender has chosen. */
export function sourceFields(isNew: boolean): FormField[] {
  const choice = { kind: "choice", isRequired: true, hint: chosen } as const;
  const secret = formField("secret", "secret", { hint: "that of the sender; empty for a new one" });
  return [
    formField("name", "name", { isRequired: true, hint: "the sender, e.g. GitHub" }),
    formField("scheme", "scheme", {
      ...choice,
      choices: [
        { text: "standard: Standard Webhooks", value: "standard" },
        { text: "hmac: as GitHub's", value: "hmac" },
        { text: "timestamped: as Stripe's", value: "timestamped" },
        { text: "token: the secret itself", value: "token" },
      ],
      fallback: "standard",
    }),
    formField("header", "header field", { hint: "of the signature; empty for the usual one" }),
    formField("publicKey", "public key", { hint: "whpk_…, for v1a signatures" }),
    formField("role", "acts as", {
      ...choice,
      choices: textChoices(roles),
      fallback: "tenant-staff",
    }),
    formField("mapping", "mapping", {
      kind: "lines",
      hint: "a jq program: upsert, action or document; empty only keeps calls",
      fallback: "empty",
    }),
    ...(isNew ? [secret] : []),
  ];
}

export function sourceFaults(data: JsonObject): Fault[] {
  const isStandard = data["scheme"] === "standard";
  const secret = textIn(data, "secret");
  const faults: Fault[] = [];
  if (isStandard && textIn(data, "header") !== undefined) {
    faults.push({ pointer: pointer("header"), detail: "is fixed in the scheme standard" });
  }
  if (!isStandard && textIn(data, "publicKey") !== undefined) {
    faults.push({ pointer: pointer("publicKey"), detail: "is for the scheme standard only" });
  }
  if (secret !== undefined && secret.length < minimumSecret) {
    const detail = `must have at least ${minimumSecret} characters`;
    faults.push({ pointer: pointer("secret"), detail });
  }
  return faults;
}

function schemeOf(data: JsonObject) {
  const type = schemeTypes.find((each) => each === data["scheme"]) ?? "standard";
  const header = textIn(data, "header");
  if (type === "standard") return { type, ...given({ publicKey: textIn(data, "publicKey") }) };
  if (type !== "hmac") return { type, ...given({ header }) };
  const prefix = data["prefix"];
  return { type, ...given({ header, prefix: typeof prefix === "string" ? prefix : undefined }) };
}

function settingsOf(data: JsonObject) {
  return {
    name: textIn(data, "name") ?? "",
    scheme: schemeOf(data),
    role: roles.find((role) => role === data["role"]) ?? "tenant-staff",
    mapping: textIn(data, "mapping") ?? "empty",
  };
}

/** The data of the form of a source that exists. */
export function sourceData({ name, scheme, role, mapping }: WebhookSource): JsonObject {
  const settings: JsonObject = { ...scheme };
  return given({
    name,
    scheme: scheme?.type,
    header: ownMember(settings, "header"),
    prefix: ownMember(settings, "prefix"),
    publicKey: ownMember(settings, "publicKey"),
    role,
    mapping,
  });
}

export function sourceCreation(data: JsonObject) {
  return { ...settingsOf(data), ...given({ secret: textIn(data, "secret") }) };
}

/** The changed settings alone; the prefix of a signature stays, which the form does not show. */
export function sourceChanges(before: JsonObject, after: JsonObject) {
  const isSame = before["scheme"] === after["scheme"];
  const prefix = isSame ? { prefix: before["prefix"] } : {};
  const [old, now] = [settingsOf(before), settingsOf({ ...after, ...prefix })];
  const other = <Value>(was: Value, is: Value) => (sameJson(was, is) ? undefined : is);
  return given({
    name: other(old.name, now.name),
    scheme: other(old.scheme, now.scheme),
    role: other(old.role, now.role),
    mapping: other(old.mapping, now.mapping),
  });
}

/** The options of the command that saves the same; a secret is read from its input. */
export function sourceOptions(data: JsonObject, before: JsonObject = {}): CommandOptions {
  const isNew = Object.keys(before).length === 0;
  const { name, scheme, role, mapping } = isNew
    ? { ...settingsOf(data), name: undefined }
    : sourceChanges(before, data);
  return given({
    name,
    scheme: scheme?.type,
    header: scheme === undefined ? undefined : textIn(data, "header"),
    "public-key": scheme === undefined ? undefined : textIn(data, "publicKey"),
    role,
    mapping,
    secret: textIn(data, "secret") === undefined ? undefined : "-",
  });
}
