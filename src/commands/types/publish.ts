import type { Client } from "#client/surface.ts";
import { CatalogError } from "#contract/errors.ts";
import type {
  ObjectType,
  ObjectTypeBatch,
  ObjectTypeCreation,
  ObjectTypeUpdate,
} from "#contract/object-types/object-types.ts";
import { given } from "#lib/given.ts";
import type { CreateStep, SeedStep, UpdateStep } from "./plan.ts";

/** The platform checks every record before a property becomes unique. */
const timeoutMs = 10 * 60_000;

/** The result of one type: schema sync result states (spec 2.11), and `failed`. */
export interface Published {
  readonly state: "applied" | "skipped" | "failed";
  readonly error?: CatalogError;
}

/** The update of a stored type to the file's definition. */
function updateOf({ type, stored }: UpdateStep): ObjectTypeUpdate {
  const { slug: _slug, ...definition } = type;
  // In a merge patch, null removes a member (RFC 7396).
  const removed = (["displayName", "description", "readRoles", "writeRoles"] as const).filter(
    (keyword) => type[keyword] === undefined && (stored[keyword] ?? "") !== "",
  );
  return {
    ...definition,
    ...Object.fromEntries(removed.map((keyword) => [keyword, null])),
    ...given({ version: stored.version }),
  };
}

export type Publication = ReadonlyMap<string, Published>;

/** Publishes all steps or none, in one request. Throws an error that concerns no single type. */
export async function publishTogether(
  client: Client,
  steps: readonly SeedStep[],
  signal: AbortSignal,
): Promise<Publication> {
  const creations = steps.filter((step): step is CreateStep => step.action === "create");
  const changes = steps.filter((step): step is UpdateStep => step.action === "update");
  const body: ObjectTypeBatch = {
    create: creations.map(({ type }) => type),
    update: changes.map((step) => ({ id: step.stored.id, ...updateOf(step) })),
  };
  const written = [...creations, ...changes];
  try {
    await client.objectTypes.batch({ body, signal, timeoutMs });
  } catch (error) {
    const refused = error instanceof CatalogError ? refusedSteps(error, creations, changes) : [];
    if (refused.length === 0 || !(error instanceof CatalogError)) throw error;
    return new Map(
      written.map((step) => [
        step.type.slug,
        refused.includes(step) ? { state: "failed", error } : { state: "skipped" },
      ]),
    );
  }
  return new Map(written.map(({ type }) => [type.slug, { state: "applied" }]));
}

/** The steps that the problem's pointers name. */
function refusedSteps(
  { problem }: CatalogError,
  creations: readonly SeedStep[],
  changes: readonly SeedStep[],
): SeedStep[] {
  const faults = problem?.["errors"];
  if (!Array.isArray(faults)) return [];
  const pointers = faults.map((fault: unknown) =>
    typeof fault === "object" && fault !== null && "pointer" in fault ? String(fault.pointer) : "",
  );
  const at = (steps: readonly SeedStep[], list: string): SeedStep[] =>
    steps.filter((_step, index) =>
      pointers.some((one) => `${one}/`.startsWith(`#/${list}/${index}/`)),
    );
  return [...at(creations, "create"), ...at(changes, "update")];
}

/** The links of a new type to types that are created after it: only a cycle has any. */
function lateLinks(type: ObjectTypeCreation, uncreated: ReadonlySet<string>): boolean {
  return type.linkTypes.some(({ targetObjectType }) => uncreated.has(targetObjectType));
}

/** Creates a type; in a cycle of links without these, since a deployment may check the targets. */
async function create(
  client: Client,
  { type }: CreateStep,
  uncreated: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<UpdateStep | undefined> {
  const isLate = lateLinks(type, uncreated);
  const body = isLate ? { ...type, linkTypes: [] } : type;
  const stored = await client.objectTypes.create({ body, signal, timeoutMs });
  return isLate ? { action: "update", type, changes: [], stored } : undefined;
}

/**
 * Publishes type by type, for deployments without the batch route. After a refusal it reverts the
 * changed types; created types stay `applied`, because the interface can't delete a type.
 */
export async function publishOneByOne(
  client: Client,
  steps: readonly SeedStep[],
  signal: AbortSignal,
): Promise<Publication> {
  const published = new Map<string, Published>();
  const changed: { readonly step: UpdateStep; readonly now: ObjectType }[] = [];
  const creations = steps.filter(({ action }) => action === "create");
  const uncreated = new Set(creations.map(({ type }) => type.slug));
  const queue = [...steps];
  for (const [index, step] of queue.entries()) {
    try {
      if (step.action === "create") {
        uncreated.delete(step.type.slug);
        const links = await create(client, step, uncreated, signal);
        if (links !== undefined) queue.push(links);
      }
      if (step.action === "update") {
        const params = { objectTypeId: step.stored.id };
        const body = updateOf(step);
        const now = await client.objectTypes.update({ params, body, signal, timeoutMs });
        if (index < steps.length) changed.push({ step, now });
      }
      published.set(step.type.slug, { state: "applied" });
    } catch (error) {
      for (const done of changed.toReversed()) {
        published.set(done.step.type.slug, await revert(client, done));
      }
      if (!(error instanceof CatalogError)) throw error;
      published.set(step.type.slug, { state: "failed", error });
      for (const { type } of steps.slice(index + 1)) published.set(type.slug, { state: "skipped" });
      return published;
    }
  }
  return published;
}

/** The former roles; null for those that only the file has, so that others need no such member. */
function rolesOf({ type, stored }: UpdateStep): Pick<ObjectTypeUpdate, "readRoles" | "writeRoles"> {
  const former = (keyword: "readRoles" | "writeRoles") =>
    stored[keyword] ?? (type[keyword] === undefined ? undefined : null);
  return { readRoles: former("readRoles"), writeRoles: former("writeRoles") };
}

/** Reverts a change. The caller's signal is left out: an interrupted seeding is reverted too. */
async function revert(
  client: Client,
  { step, now }: { readonly step: UpdateStep; readonly now: ObjectType },
): Promise<Published> {
  const { id, name, displayName = null, description = null } = step.stored;
  const { properties, linkTypes = [], actions = [] } = step.stored;
  const { readRoles, writeRoles } = rolesOf(step);
  const former = { name, displayName, description, properties, linkTypes, actions };
  const version = given({ version: now.version });
  try {
    const { objectTypeUpdate } = await import("#contract/object-types/object-types.ts");
    const body = objectTypeUpdate.parse({
      ...former,
      ...given({ readRoles, writeRoles }),
      ...version,
    });
    await client.objectTypes.update({ params: { objectTypeId: id }, body, timeoutMs });
    return { state: "skipped" };
  } catch (error) {
    return error instanceof CatalogError ? { state: "applied", error } : { state: "applied" };
  }
}
