import type { ObjectType, ObjectTypeCreation } from "#contract/object-types/object-types.ts";
import { byName, changesOf, type Members, type PlannedChange } from "./changes.ts";

interface Step {
  readonly type: ObjectTypeCreation;
  readonly changes: readonly PlannedChange[];
}
export interface CreateStep extends Step {
  readonly action: "create";
}
export interface UpdateStep extends Step {
  readonly action: "update";
  readonly stored: ObjectType;
}
interface UnchangedStep extends Step {
  readonly action: "none";
  readonly stored: ObjectType;
}
export type SeedStep = CreateStep | UpdateStep | UnchangedStep;

/** The steps of seeding, link targets first. Types are compared by exact slug (spec 2.2). */
export function planSeed(
  types: readonly ObjectTypeCreation[],
  stored: readonly ObjectType[],
): SeedStep[] {
  const storedBySlug = new Map(stored.map((type) => [type.slug, type]));
  return linkOrder(types).map((type): SeedStep => {
    const existing = storedBySlug.get(type.slug);
    if (existing === undefined) return { action: "create", type, changes: creation(type) };
    const changes = changesOf(existing, type);
    const action = changes.length === 0 ? "none" : "update";
    return { action, type, stored: existing, changes };
  });
}

function creation(type: ObjectTypeCreation): PlannedChange[] {
  return [
    { action: "add", part: "type", name: type.slug },
    ...names("property", type.properties),
    ...names("link", byName(type.linkTypes)),
    ...names("action", byName(type.actions)),
  ];
}

function names(part: PlannedChange["part"], members: Members): PlannedChange[] {
  return Object.keys(members).map((name) => ({ action: "add", part, name }));
}

/** Link targets before the types that name them; a cycle keeps the file's order. */
function linkOrder(types: readonly ObjectTypeCreation[]): ObjectTypeCreation[] {
  const bySlug = new Map(types.map((type) => [type.slug, type]));
  const ordered: ObjectTypeCreation[] = [];
  const visited = new Set<string>();
  const visit = (type: ObjectTypeCreation): void => {
    if (visited.has(type.slug)) return;
    visited.add(type.slug);
    const targets = [
      ...type.linkTypes.map((linkType) => linkType.targetObjectType),
      ...Object.values(type.properties).map((property) => property.targetObjectType),
    ];
    for (const slug of targets) {
      const target = slug === undefined ? undefined : bySlug.get(slug);
      if (target !== undefined) visit(target);
    }
    ordered.push(type);
  };
  types.forEach(visit);
  return ordered;
}
