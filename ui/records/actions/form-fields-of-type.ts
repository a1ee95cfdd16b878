import type { ObjectType } from "#client/index.ts";
import { isAmong, roles } from "#contract/access/roles.ts";
import { ownMember } from "#lib/own-member.ts";
import type { FieldChoice, FieldKind, FormField } from "../../kit/forms/form-field.ts";
import { dataFields, type DefinedFields } from "../../kit/data-fields/data-fields.ts";
import { itemsOf, targetOf, textIn, type AnyProperty } from "../../kit/data-fields/property.ts";
import {
  currencyOf,
  dueDistance,
  hasMeaning,
  isClosed,
  isStatus,
  amountWords,
  statusOf,
} from "../../kit/data-fields/meaning.ts";
import { headingOf } from "../../kit/data-fields/record-columns.ts";

function numberIn(property: AnyProperty, name: string): number | undefined {
  const value = ownMember(property, name);
  return typeof value === "number" ? value : undefined;
}

function rangeWords(low: number | undefined, high: number | undefined): string {
  if (low !== undefined && high !== undefined) return `${low} to ${high}`;
  if (low !== undefined) return `at least ${low}`;
  return high === undefined ? "" : `at most ${high}`;
}

const typeWords: Readonly<Record<string, string>> = {
  string: "",
  text: "text of several lines",
  integer: "whole number",
  number: "number",
  boolean: "true or false, by ← → or the first letter",
  date: "date, as 2026-11-21",
  datetime: "time, as 2026-11-21T09:30:00Z",
  email: "e-mail address",
  url: "address, as https://example.org",
  enum: "one of its choices, by ← → or its first letters",
  object: "JSON object",
  array: "JSON list",
  geopoint: 'JSON, as {"type":"Point","coordinates":[longitude,latitude]}',
  geometry: 'GeoJSON, as {"type":"Polygon","coordinates":[[[longitude,latitude],…]]}',
};

function kindWords(property: AnyProperty, target: string | undefined): string {
  const { type } = property;
  if (target !== undefined) {
    return type === "array" ? `ids of ${target}, one per line` : `id of a ${target}`;
  }
  return isLineList(property) ? "list, one item per line" : (typeWords[type] ?? "JSON");
}

function hintOf(property: AnyProperty, target: string | undefined): string {
  const numbers = rangeWords(numberIn(property, "minimum"), numberIn(property, "maximum"));
  const lengths = rangeWords(numberIn(property, "minLength"), numberIn(property, "maxLength"));
  const items = rangeWords(numberIn(property, "minItems"), numberIn(property, "maxItems"));
  const pattern = textIn(property, "pattern");
  const currency = currencyOf(property);
  return [
    kindWords(property, target),
    currency === undefined ? "" : `amount in ${currency}`,
    numbers,
    lengths === "" ? "" : `${lengths} characters`,
    items === "" ? "" : `${items} items`,
    pattern === undefined ? "" : `matches ${pattern}`,
    textIn(property, "description") ?? "",
  ]
    .filter((words) => words !== "")
    .join(" · ");
}

/** Whether each item of a list is a text of one line. */
function isLineList(property: AnyProperty): boolean {
  return oneLine.has(itemsOf(property)?.type ?? "");
}

function choicesOf(property: AnyProperty): FieldChoice[] {
  if (property.type === "boolean") {
    return [true, false].map((value) => ({ text: value ? "yes" : "no", value }));
  }
  const choices = ownMember(property, "enum");
  if (!Array.isArray(choices)) return [];
  return choices.map((value: unknown) => ({
    text: typeof value === "string" ? value : JSON.stringify(value),
    value,
  }));
}

const oneLine = new Set(["string", "email", "url", "date", "datetime", "reference", "enum"]);

function kindOf(property: AnyProperty, choices: readonly FieldChoice[]): FieldKind {
  const { type } = property;
  if (isLineList(property)) return "list";
  if (choices.length > 0) return "choice";
  if (type === "text") return "lines";
  if (type === "integer" || type === "number") return "number";
  return oneLine.has(type) ? "line" : "json";
}

/** How a form shows a value by its meaning; the stored record says if it is done. */
function shownBy(name: string, property: AnyProperty, type?: DefinedFields): FormField["shown"] {
  if (currencyOf(property) !== undefined) {
    return (text) => {
      const words = text.trim() === "" ? undefined : amountWords(property, Number(text));
      return words === undefined ? undefined : [{ text: words }];
    };
  }
  if (hasMeaning(property, "due")) {
    return (text, data) => {
      const closed = type !== undefined && isClosed(type, data);
      const { text: distance, token } = dueDistance(text, Date.now(), closed);
      return [{ text }, { text: distance === "" ? "" : `  ${distance}`, as: token ?? "quiet" }];
    };
  }
  if (!isStatus(name, property)) return undefined;
  return (text) => {
    const { glyph, token } = statusOf(property, text);
    return [{ text: `${glyph} ${text}`, as: token }];
  };
}

/** A property as a field of a form; none for a file, which has a separate route. */
function fieldOf(
  name: string,
  property: AnyProperty,
  { locked, type }: { readonly locked?: string | undefined; readonly type?: DefinedFields } = {},
): FormField[] {
  if (property.type === "file") return [];
  const items = itemsOf(property);
  const choices = choicesOf(isLineList(property) && items !== undefined ? items : property);
  const target = targetOf(property);
  return [
    {
      name,
      label: textIn(property, "displayName") ?? headingOf(name),
      kind: kindOf(property, choices),
      choices,
      isRequired: ownMember(property, "required") === true,
      hint: hintOf(property, target),
      target,
      fallback: ownMember(property, "default"),
      locked,
      shown: shownBy(name, property, type),
    },
  ];
}

/**
 * The fields of a record: properties, links, and values without a property. Those that the role may
 * not write are locked with the reason.
 */
export function recordFields(
  type: DefinedFields & Pick<ObjectType, "writeRoles">,
  data: Readonly<Record<string, unknown>>,
  role?: string,
): FormField[] {
  const fields = dataFields(type);
  const ofRecords = lockFor(type.writeRoles, role);
  const links = new Map((type.linkTypes ?? []).map((link) => [link.name, link]));
  const lockOf = (name: string, property: AnyProperty): string | undefined =>
    ofRecords ?? lockFor(ownMember(links.get(name) ?? property, "writeRoles"), role);
  const others = Object.keys(data).filter((name) => !Object.hasOwn(fields, name));
  return [
    ...Object.entries(fields).flatMap(([name, property]) =>
      fieldOf(name, property, { locked: lockOf(name, property), type }),
    ),
    ...others.map((name): FormField => ({
      name,
      label: headingOf(name),
      kind: "json",
      choices: [],
      isRequired: false,
      hint: "not a property of this type: empty it to save",
      target: undefined,
      fallback: undefined,
    })),
  ];
}

/** Why a role may not write what these roles write; unknown roles are left to the platform. */
function lockFor(named: unknown, role: string | undefined): string | undefined {
  const held = roles.find((each) => each === role);
  if (held === undefined || !Array.isArray(named)) return undefined;
  const names = named.filter((name) => typeof name === "string");
  if (isAmong(names, { role: held, name: held })) return undefined;
  return `is read-only for you: needs the role ${names.join(" or ")}`;
}

export function parameterFields(parameters: Readonly<Record<string, AnyProperty>>): FormField[] {
  return Object.entries(parameters).flatMap(([name, property]) => fieldOf(name, property));
}
