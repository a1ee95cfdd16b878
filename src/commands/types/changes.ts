import type { ObjectType, ObjectTypeCreation } from "#contract/object-types/object-types.ts";
import { isJsonObject, sortedJson } from "#lib/json/value.ts";
import { sameJson } from "#lib/json/same.ts";
import { ownMember } from "#lib/own-member.ts";

export type Members = Readonly<Record<string, unknown>>;

type Link = Pick<ObjectTypeCreation["linkTypes"][number], "name" | "targetObjectType">;

function membersOrNone(value: unknown): Members {
  return isJsonObject(value) ? value : {};
}

/** One difference between a stored definition and the project's file. */
export interface PlannedChange {
  readonly action: "add" | "change" | "rename" | "drop";
  readonly part: "type" | "property" | "link" | "action";
  /** A nested property has its dotted path, a `rename` the stored name, an unnamed link "". */
  readonly name: string;
  /** The slug that an unnamed link has as its target. */
  readonly target?: string;
  /** The new name of a `rename`. */
  readonly to?: string;
  /** The changed keywords of a `change`, sorted. */
  readonly keywords?: readonly string[];
  /** The path whose values lose their definition; set only if there may be such values. */
  readonly abandons?: string;
  /** The path that becomes required; set only if records may lack a value there. */
  readonly demands?: string;
}

/** The differences between a stored definition and the one in the file. */
export function changesOf(before: ObjectType, after: ObjectTypeCreation): PlannedChange[] {
  const changes: PlannedChange[] = [];
  if (before.name !== after.name) {
    changes.push({ action: "rename", part: "type", name: before.name, to: after.name });
  }
  const words = ["displayName", "description"] as const;
  const keywords: string[] = words.filter(
    (keyword) => (before[keyword] ?? "") !== (after[keyword] ?? ""),
  );
  for (const keyword of ["readRoles", "writeRoles"] as const) {
    if (!sameJson(before[keyword] ?? null, after[keyword] ?? null)) keywords.push(keyword);
  }
  if (keywords.length > 0) {
    changes.push({ action: "change", part: "type", name: after.slug, keywords });
  }
  return [
    ...changes,
    ...propertyChanges(before.properties, membersOrNone(after.properties), ""),
    ...linkChanges(before.linkTypes ?? [], after.linkTypes),
    ...memberChanges("action", byName(before.actions), byName(after.actions)),
  ];
}

/** The changes in the order of the file; dropped properties come last, in the stored order. */
function propertyChanges(before: Members, after: Members, prefix: string): PlannedChange[] {
  const renamed = renames(before, after);
  const changes: PlannedChange[] = [];
  for (const [name, property] of Object.entries(after)) {
    const path = prefix + name;
    const former = ownMember(before, name);
    const oldName = renamed.get(name);
    const demands = needsValue(property) && !needsValue(former) ? { demands: path } : {};
    if (former !== undefined) {
      changes.push(...propertyChange(path, former, property, demands));
    } else if (oldName === undefined) {
      changes.push({ action: "add", part: "property", name: path, ...demands });
    } else {
      const old = { name: prefix + oldName, abandons: prefix + oldName };
      changes.push({ action: "rename", part: "property", to: path, ...old, ...demands });
    }
  }
  const gone = new Set(renamed.values());
  for (const name of Object.keys(before)) {
    if (Object.hasOwn(after, name) || gone.has(name)) continue;
    const path = prefix + name;
    changes.push({ action: "drop", part: "property", name: path, abandons: path });
  }
  return changes;
}

/** A file is never needed to save a record: it is uploaded afterwards. */
function needsValue(property: unknown): boolean {
  const { required, type } = membersOrNone(property);
  return required === true && type !== "file";
}

function propertyChange(
  path: string,
  before: unknown,
  after: unknown,
  demands: Pick<PlannedChange, "demands"> = {},
): PlannedChange[] {
  const [old, next] = [withoutDefaults(before), withoutDefaults(after)];
  const isObject = hasMembers(old) && hasMembers(next);
  const keywords = differing(old, next).filter((name) => !(isObject && name === "properties"));
  const membersOf = ({ properties }: Members): Members => membersOrNone(properties);
  const inner = isObject ? propertyChanges(membersOf(old), membersOf(next), `${path}.`) : [];
  if (keywords.length === 0) return inner;
  const change: PlannedChange = {
    action: "change",
    part: "property",
    name: path,
    keywords,
    ...(takesAll(old, next) ? {} : { abandons: path }),
    ...demands,
  };
  return [change, ...inner];
}

function hasMembers(property: Members): boolean {
  return property["type"] === "object" && property["properties"] !== undefined;
}

/** The other types that accept all stored values of a type. */
const widerTypes: Readonly<Record<string, readonly string[]>> = {
  string: ["text"],
  text: ["string"],
  email: ["string", "text"],
  url: ["string", "text"],
  date: ["string", "text"],
  datetime: ["string", "text"],
  reference: ["string", "text"],
  integer: ["number"],
};

/** Returns whether stored values keep their meaning, also those outside of new bounds. */
function takesAll(before: Members, after: Members): boolean {
  const [old, next] = [valueType(before), String(after["type"])];
  if (before["type"] !== next) return old === next || widerTypes[old]?.includes(next) === true;
  switch (next) {
    case "reference":
      return before["targetObjectType"] === after["targetObjectType"];
    case "object":
      return hasMembers(before) || !hasMembers(after);
    case "array":
      return takesItems(before["items"], after["items"]);
    default:
      return true;
  }
}

/** The type of the values, for an enum the type of its choices. */
function valueType({ type, enum: choices }: Members): string {
  if (type !== "enum" || !Array.isArray(choices)) return String(type);
  const types = new Set(choices.map((choice: unknown) => typeof choice));
  const [only = "enum", ...others] = types;
  return others.length === 0 ? only : "enum";
}

/** Returns whether items keep their meaning. Items without a definition can be anything. */
function takesItems(before: unknown, after: unknown): boolean {
  if (before === undefined || after === undefined) return after === undefined;
  return propertyChange("items", before, after).every((change) => change.abandons === undefined);
}

/** New name -> stored name, if one property is gone, one is new, and both are defined equally. */
function renames(before: Members, after: Members): ReadonlyMap<string, string> {
  const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name));
  const added = Object.keys(after).filter((name) => !Object.hasOwn(before, name));
  const [from, to] = [gone[0], added[0]];
  if (gone.length !== 1 || added.length !== 1 || from === undefined || to === undefined) {
    return new Map();
  }
  const meaning = (property: unknown): string => {
    const { displayName: _name, description: _text, ...rest } = withoutDefaults(property);
    return sortedJson(rest);
  };
  return new Map(meaning(before[from]) === meaning(after[to]) ? [[to, from]] : []);
}

/**
 * A deployment may keep links without names. Such a link is the one of the file with the same
 * target that no stored name has.
 */
function linkChanges(before: readonly Link[], after: readonly Link[]): PlannedChange[] {
  const stored = before.filter(({ name }) => name !== "");
  const names = new Set(stored.map(({ name }) => name));
  const unmatched = after.filter(({ name }) => !names.has(name));
  const kept = new Set<Link>();
  const dropped: PlannedChange[] = [];
  for (const { name, targetObjectType: target } of before) {
    if (name !== "") continue;
    const same = unmatched.find((link) => link.targetObjectType === target && !kept.has(link));
    if (same === undefined) dropped.push({ action: "drop", part: "link", name, target });
    else kept.add(same);
  }
  const compared = after.filter((link) => !kept.has(link));
  return [...memberChanges("link", linksOf(stored), linksOf(compared)), ...dropped];
}

/** Changes of a link that leave its ids as they are. */
const keptKeywords: ReadonlySet<string> = new Set(["displayName", "readRoles", "writeRoles"]);

function memberChanges(part: "link" | "action", before: Members, after: Members): PlannedChange[] {
  const changes: PlannedChange[] = [];
  for (const [name, next] of Object.entries(after)) {
    const old = ownMember(before, name);
    if (old === undefined) {
      changes.push({ action: "add", part, name });
      continue;
    }
    const keywords = differing(membersOrNone(old), membersOrNone(next));
    if (keywords.length === 0) continue;
    // Stored link IDs lose their meaning with another target or cardinality.
    const isLoss = part === "link" && keywords.some((keyword) => !keptKeywords.has(keyword));
    const abandons = isLoss ? { abandons: name } : {};
    changes.push({ action: "change", part, name, keywords, ...abandons });
  }
  for (const name of Object.keys(before)) {
    if (Object.hasOwn(after, name)) continue;
    const abandons = part === "link" ? { abandons: name } : {};
    changes.push({ action: "drop", part, name, ...abandons });
  }
  return changes;
}

function differing(before: Members, after: Members): string[] {
  const all = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...all].filter((name) => sortedJson(before[name]) !== sortedJson(after[name])).toSorted();
}

const flags = new Set(["required", "unique", "indexed", "searchable"]);

/** A property without flags that are false and names of run time only, at every depth. */
function withoutDefaults(property: unknown): Members {
  const entries = Object.entries(membersOrNone(property))
    .filter(([name, value]) => value !== undefined && !(flags.has(name) && value === false))
    .filter(([name]) => name !== "target_type")
    .map(([name, value]): [string, unknown] => {
      if (name === "items") return [name, withoutDefaults(value)];
      if (name !== "properties") return [name, value];
      const inner = Object.entries(membersOrNone(value));
      return [name, Object.fromEntries(inner.map(([key, one]) => [key, withoutDefaults(one)]))];
    });
  return Object.fromEntries(entries);
}

export function byName(list: readonly { readonly name: string }[] | undefined): Members {
  return Object.fromEntries((list ?? []).map((entry) => [entry.name, entry]));
}

/** A deployment may repeat the target of a link as it is named at run time (spec 2.2). */
function linksOf(list: readonly (Link & { readonly target_type?: string | undefined })[]): Members {
  return byName(
    list.map(({ target_type: _atRunTime, ...entry }) => ({ cardinality: "many", ...entry })),
  );
}
