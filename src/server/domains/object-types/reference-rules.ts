import { placedProperties } from "#contract/object-types/walk.ts";
import type { OnDelete } from "#contract/object-types/properties.ts";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";
import type { StoredDefinition, StoredObjectType } from "./stored-types.ts";

/** A reference or link of a type whose target can't simply be deleted. */
export interface ReferenceRule {
  /** The names of its dotted path; items of a list have the names of the list. */
  readonly names: readonly string[];
  readonly path: string;
  readonly targetObjectType: string;
  readonly onDelete: OnDelete;
}

/** A record that another one refers to, and the path of the reference. */
export interface Link {
  readonly path: string;
  readonly target: string;
}

/** The links that a write adds to its record and removes from it. */
export interface LinkChange {
  readonly added: readonly Link[];
  readonly removed: readonly Link[];
}

type RuleSource = Pick<StoredObjectType, "definition" | "on_delete">;

/** The references that a deletion looks for; none of a type that keeps them. */
export function referenceRules({ definition, on_delete }: RuleSource): ReferenceRule[] {
  const references = [
    ...placedProperties(definition.properties).flatMap(({ property, names }) =>
      property.type === "reference" && property.targetObjectType !== undefined
        ? [{ names, targetObjectType: property.targetObjectType, onDelete: property.onDelete }]
        : [],
    ),
    ...definition.linkTypes.map(({ name, targetObjectType, onDelete }) => ({
      names: [name],
      targetObjectType,
      onDelete,
    })),
  ];
  return references.flatMap(({ names, targetObjectType, onDelete }) => {
    const effective = onDelete ?? (on_delete === "keep" ? undefined : on_delete);
    return effective === undefined
      ? []
      : [{ names, path: names.join("."), targetObjectType, onDelete: effective }];
  });
}

/** The links of a record's data, each once. */
export function linksOf(rules: readonly ReferenceRule[], data: JsonObject): Link[] {
  const links = new Map<string, Link>();
  for (const { names, path } of rules) {
    for (const target of idsAt(data, names)) links.set(`${path} ${target}`, { path, target });
  }
  return [...links.values()];
}

/** The difference of two records' links; undefined without one. */
export function linkChange(
  rules: readonly ReferenceRule[],
  before: JsonObject,
  after: JsonObject,
): LinkChange | undefined {
  if (rules.length === 0) return undefined;
  const [old, next] = [linksOf(rules, before), linksOf(rules, after)];
  const added = without(next, old);
  const removed = without(old, next);
  return added.length + removed.length === 0 ? undefined : { added, removed };
}

/** A copy of the data without references at this path to these records. */
export function withoutReferences(
  data: JsonObject,
  { names }: Pick<ReferenceRule, "names">,
  targets: ReadonlySet<string>,
): JsonObject {
  const next = pruned(data, names, targets);
  return isJsonObject(next) ? next : data;
}

/** The state of the links after a change of the definition: new rules need links of all records. */
export function linksStateAfter(
  stored: StoredObjectType,
  definition: StoredDefinition,
  hasRecords: boolean,
): StoredObjectType["links_state"] {
  const rules = referenceRules({ ...stored, definition });
  if (!hasRecords) return "ready";
  const before = new Set(referenceRules(stored).map(({ path }) => path));
  return rules.every(({ path }) => before.has(path)) ? stored.links_state : "building";
}

function without(links: readonly Link[], others: readonly Link[]): Link[] {
  const keyOf = ({ path, target }: Link): string => `${path} ${target}`;
  const known = new Set(others.map(keyOf));
  return links.filter((link) => !known.has(keyOf(link)));
}

function idsAt(value: unknown, names: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => idsAt(item, names));
  const [name, ...rest] = names;
  if (name === undefined) return typeof value === "string" ? [value] : [];
  return isJsonObject(value) ? idsAt(ownMember(value, name), rest) : [];
}

/** The value without these ids; undefined for an id that is one of them. */
function pruned(value: unknown, names: readonly string[], ids: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) {
    return value
      .map((item) => pruned(item, names, ids))
      .filter((item, index) => item !== undefined || value[index] === undefined);
  }
  const [name, ...rest] = names;
  if (name === undefined) return typeof value === "string" && ids.has(value) ? undefined : value;
  if (!isJsonObject(value) || !Object.hasOwn(value, name)) return value;
  const { [name]: member, ...others } = value;
  const next = pruned(member, rest, ids);
  if (next === undefined && member !== undefined) return others;
  return { ...value, [name]: next };
}
