import type * as z from "zod";
import { folded, isNamed, otherNamesOf } from "#contract/deployments.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";

/** Finds the members of an answer under the names and in the envelopes of any deployment. */

export type Schema = z.core.$ZodType;
export type ObjectSchema = z.core.$ZodObject;
export type JsonObject = Readonly<Record<string, unknown>>;

export function defOf(schema: Schema): z.core.$ZodTypes["_zod"]["def"] {
  return (schema as z.core.$ZodTypes)._zod.def;
}

export function isObject(schema: Schema): schema is ObjectSchema {
  return defOf(schema).type === "object";
}

/** An object for a list without an envelope, and for a thing of which only the name is sent. */
export function asObject(schema: ObjectSchema, answer: unknown): JsonObject | undefined {
  if (isJsonObject(answer)) return answer;
  const { list, text } = factsOf(schema);
  if (Array.isArray(answer)) return list === undefined ? undefined : { [list]: answer };
  const isName = typeof answer === "string" || Number.isFinite(answer);
  if (text === undefined || !isName) return undefined;
  return { [text]: String(answer) };
}

interface Facts {
  /** The only required list: the object is an envelope of it. */
  readonly list: string | undefined;
  /** True if an answer without the list can't be read. */
  readonly isNeeded: boolean;
  /** Other names of the list. */
  readonly others: readonly string[];
  /** The first required text, or else the first text. */
  readonly name: string | undefined;
  /** The message, or else the name. */
  readonly text: string | undefined;
}

const facts = new WeakMap<ObjectSchema, Facts>();

export function factsOf(schema: ObjectSchema): Facts {
  const known = facts.get(schema);
  if (known !== undefined) return known;
  const parts = Object.entries(schema._zod.def.shape);
  const lists = parts.filter(([, part]) => defOf(part).type === "array");
  const isText = (part: Schema): boolean => defOf(part).type === "string";
  const texts = parts.filter(([, part]) => {
    const def = defOf(part);
    return isText(part) || (def.type === "optional" && isText(def.innerType));
  });
  const name = texts.find(([, part]) => isText(part)) ?? texts[0];
  const text = texts.find(([one]) => one === "message" || one === "detail") ?? name;
  const [list, ...more] = lists;
  const only = more.length === 0 ? list : undefined;
  const made = {
    list: only?.[0],
    isNeeded: only !== undefined && isNamed(only[1]),
    others: only === undefined ? [] : otherNamesOf(only[1]),
    name: name?.[0],
    text: text?.[0],
  };
  facts.set(schema, made);
  return made;
}

/** Members in which deployments send the items of a list, and its place among other pages. */
const listNames = ["items", "data", "results", "records", "value", "values", "rows", "entries"];
const pagingNames = ["pagination", "paging", "page", "pageInfo", "page_info", "meta", "metadata"];

/** The member that has the list under another name. */
export function listSource(schema: ObjectSchema, given: JsonObject): string | undefined {
  const { list, isNeeded, others } = factsOf(schema);
  if (list === undefined || Array.isArray(given[list])) return undefined;
  const names = Object.keys(given);
  for (const spelt of [list, ...others, ...listNames].map(folded)) {
    const name = names.find((one) => folded(one) === spelt);
    if (name === undefined) continue;
    if (Array.isArray(given[name]) || isWrapped(given[name])) return name;
  }
  if (!isNeeded) return undefined;
  const lists = names.filter((name) => isListOfObjects(given[name]));
  return lists.length === 1 ? lists[0] : undefined;
}

/** A list of texts or numbers is a fact about the answer, not its items. */
function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every((item: unknown) => isJsonObject(item));
}

/** A list inside `data`, as in `{ data: { items } }`. */
function isWrapped(value: unknown): value is JsonObject {
  return isJsonObject(value) && listNames.some((name) => Array.isArray(value[name]));
}

/** A member under its name, another known name, or another spelling of either. */
export function memberOf(given: JsonObject, schema: ObjectSchema, name: string): unknown {
  const own = ownMember(given, name);
  const part = schema._zod.def.shape[name];
  const { list } = factsOf(schema);
  if (list === name && !Array.isArray(own)) {
    const source = listSource(schema, given);
    if (source === undefined) return own;
    const held = given[source];
    return isWrapped(held) ? held[listNames.find((one) => Array.isArray(held[one])) ?? ""] : held;
  }
  if (own !== undefined && !(list !== undefined && isJsonObject(own))) return own;
  const spelt = new Set([name, ...(part === undefined ? [] : otherNamesOf(part))].map(folded));
  const isText = part !== undefined && defOf(part).type === "string";
  const places = list === undefined ? [given] : [given, ...pagingOf(given)];
  for (const place of places) {
    for (const [other, value] of Object.entries(place)) {
      // E.g. `tenant` is the id of a workspace, or a wrapper of all its members.
      if (isText && isJsonObject(value)) continue;
      if (spelt.has(folded(other)) && value !== own) return value;
    }
  }
  return own;
}

function pagingOf(given: JsonObject): JsonObject[] {
  const held = [...pagingNames, ...listNames].map((name) => given[name]);
  return held.filter((value) => isJsonObject(value));
}
