import type { ObjectTypeCreation } from "#contract/object-types/object-types.ts";
import { Refusal } from "#contract/problems.ts";
import { given } from "#lib/given.ts";
import type { Transaction } from "../../work/work.ts";
import { countObjectTypes, insertObjectType, knownSlugs } from "./store.ts";
import { maximumTypes, type StoredDefinition, type StoredObjectType } from "./stored-types.ts";
import { nextSourceNumber } from "../../search-index/sources.ts";
import { textOrderVersion } from "../../text/order/folded-text.ts";
import { searchTermsVersion } from "../../text/search/searched-texts.ts";
import { storedParts } from "./run-time-type.ts";
import { planSlots } from "./slot-plan.ts";
import {
  requireFreeName,
  requireRoom,
  requireSound,
  taken,
  type Place,
} from "./check-definition.ts";

export interface Making {
  readonly workspaceId: string;
  /** Id of the user who creates the types. */
  readonly createdBy: string;
  readonly now: () => Date;
  /** The facts that a type of an archive keeps, by its slug. */
  readonly keptOf?: (slug: string) => KeptType | undefined;
  /** Called with each type once it is stored. */
  readonly onMade: (type: StoredObjectType) => void;
}

/** The parts of a type of an archive that a creation does not have. */
export type KeptType = Pick<
  StoredObjectType,
  "id" | "status" | "version" | "created_by" | "created_at" | "updated_by" | "updated_at"
> &
  Pick<StoredDefinition, "retired">;

/** The types of an archive: those to make, and the slugs of those that the workspace has alike. */
export interface ArchivedTypes {
  readonly creations: readonly ObjectTypeCreation[];
  readonly alike: readonly string[];
  /** Slugs of the creations whose present type goes first; see `removeUntouched`. */
  readonly replaced: readonly string[];
}

/** `base` is the place of their list in the body; undefined where the body is the one creation. */
export async function insertTypes(
  tx: Transaction,
  making: Making,
  creations: readonly ObjectTypeCreation[],
  base: Place | undefined,
): Promise<StoredObjectType[]> {
  if (creations.length === 0) return [];
  const count = await countObjectTypes(tx, making.workspaceId);
  if (count + creations.length > maximumTypes) {
    throw new Refusal("conflict", {
      detail: `Cannot create this: a workspace has at most ${maximumTypes} Object Types`,
    });
  }
  const slugs = creations.map(({ slug }) => slug);
  const made: StoredObjectType[] = [];
  for (const [index, creation] of creations.entries()) {
    const place = base === undefined ? [] : [...base, index];
    made.push(await insertType(tx, making, creation, slugs, place));
  }
  await requireRoom(tx, making.workspaceId);
  tx.note({ target: { slugs }, before: {}, after: { version: 1 } });
  tx.afterCommit(() => made.forEach(making.onMade));
  return made;
}

async function insertType(
  writer: Transaction,
  { createdBy, workspaceId, now, keptOf }: Making,
  creation: ObjectTypeCreation,
  newSlugs: readonly string[],
  base: Place,
): Promise<StoredObjectType> {
  const { name, slug, displayName, description, readRoles, writeRoles } = creation;
  const { retired, ...kept } = keptOf?.(slug) ?? {};
  const definition: StoredDefinition = {
    ...given({ displayName, description }),
    ...storedParts(creation),
    ...given({ readRoles, writeRoles, retired }),
  };
  const plan = planSlots({
    slots: [],
    before: {},
    after: definition.properties,
    hasRecords: false,
    now: now(),
  });
  const { faults } = plan;
  await requireSound(writer, { workspaceId, definition, newSlugs, faults, base });
  if ((await knownSlugs(writer, workspaceId, [slug])).has(slug)) throw taken("slug", slug, base);
  await requireFreeName(writer, workspaceId, name, base);
  const at = now();
  const time = at.toISOString();
  const stored: StoredObjectType = {
    workspace_id: workspaceId,
    id: Bun.randomUUIDv7("hex", at),
    number: await nextSourceNumber(writer),
    slug,
    name,
    definition,
    slots: plan.slots,
    loose: [],
    search_state: "ready",
    on_delete: "restrict",
    links_state: "ready",
    text_order: textOrderVersion,
    search_terms: searchTermsVersion,
    status: "published",
    version: 1,
    revision: 1,
    created_by: createdBy,
    updated_by: createdBy,
    created_at: time,
    updated_at: time,
    ...kept,
  };
  await insertObjectType(writer, stored);
  return stored;
}
