import type { Client } from "#client/surface.ts";
import { CatalogError } from "#contract/errors.ts";
import type { ObjectType, ObjectTypeBatch, ObjectTypeUpdate } from "#contract/object-types.ts";
import type { CreateStep, SeedStep, UpdateStep } from "./plan.ts";

/** A property that becomes unique is first looked at in every record, however many there are. */
const timeoutMs = 10 * 60_000;

/** What came of one type: schema sync result states (spec 2.11), and `failed`. */
export interface Published {
  readonly state: "applied" | "skipped" | "failed";
  readonly error?: CatalogError;
}

/** The definition of the file as a change of what is stored. */
function updateOf({ type, stored }: UpdateStep): ObjectTypeUpdate {
  const { slug: _slug, ...definition } = type;
  // What the file no longer says is removed: without a word it would stay (RFC 7396).
  const removed = (["displayName", "description"] as const).filter(
    (word) => type[word] === undefined && (stored[word] ?? "") !== "",
  );
  return {
    ...definition,
    ...Object.fromEntries(removed.map((word) => [word, null])),
    ...(stored.version === undefined ? {} : { version: stored.version }),
  };
}

/** By slug, what came of each step that is to be written. */
export type Publication = ReadonlyMap<string, Published>;

/**
 * Publishes all of the steps or none, in one request, on a platform that says it can. Throws where
 * the refusal is of none of the types, e.g. since the caller may not.
 */
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

/** The steps that the problem's pointers lead to. */
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

/**
 * Publishes type by type, for deployments that know no other way, and takes back the changes when
 * one is refused. A type that was made stays, since the interface has no way to remove one: its
 * state says so.
 */
export async function publishInTurn(
  client: Client,
  steps: readonly SeedStep[],
  signal: AbortSignal,
): Promise<Publication> {
  const published = new Map<string, Published>();
  const changed: { readonly step: UpdateStep; readonly now: ObjectType }[] = [];
  for (const [index, step] of steps.entries()) {
    try {
      if (step.action === "create")
        await client.objectTypes.create({ body: step.type, signal, timeoutMs });
      if (step.action === "update") {
        const params = { objectTypeId: step.stored.id };
        const now = await client.objectTypes.update({
          params,
          body: updateOf(step),
          signal,
          timeoutMs,
        });
        changed.push({ step, now });
      }
      published.set(step.type.slug, { state: "applied" });
    } catch (error) {
      for (const done of changed.toReversed()) {
        published.set(done.step.type.slug, await takeBack(client, done));
      }
      if (!(error instanceof CatalogError)) throw error;
      published.set(step.type.slug, { state: "failed", error });
      for (const { type } of steps.slice(index + 1)) published.set(type.slug, { state: "skipped" });
      return published;
    }
  }
  return published;
}

/** Not under the caller's signal: an interrupted seeding has to be taken back as well. */
async function takeBack(
  client: Client,
  { step, now }: { readonly step: UpdateStep; readonly now: ObjectType },
): Promise<Published> {
  const { id, name, displayName = null, description = null } = step.stored;
  const { properties, linkTypes = [], actions = [] } = step.stored;
  const former = { name, displayName, description, properties, linkTypes, actions };
  const version = now.version === undefined ? {} : { version: now.version };
  try {
    const { objectTypeUpdate } = await import("#contract/object-types.ts");
    const body = objectTypeUpdate.parse({ ...former, ...version });
    await client.objectTypes.update({ params: { objectTypeId: id }, body, timeoutMs });
    return { state: "skipped" };
  } catch (error) {
    return error instanceof CatalogError ? { state: "applied", error } : { state: "applied" };
  }
}
