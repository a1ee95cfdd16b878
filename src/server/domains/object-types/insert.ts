import type { ObjectTypeCreation } from "#contract/object-types.ts";
import { Refusal } from "#contract/problems.ts";
import type { Principal } from "../../http/handler.ts";
import { noteChange } from "../../kit/change-note.ts";
import type { Writer } from "../../database/database.ts";
import {
  countObjectTypes,
  insertObjectType,
  maximumTypes,
  knownSlugs,
  type StoredDefinition,
  type StoredObjectType,
} from "./store.ts";
import { nextSourceNumber } from "../search/service.ts";
import { planSlots } from "./slot-plan.ts";
import {
  requireFreeName,
  requireRoom,
  requireSound,
  taken,
  type Place,
} from "./check-definition.ts";

export interface Making {
  readonly principal: Pick<Principal, "oid">;
  readonly workspaceId: string;
  now(): Date;
}

/** `base` is the place of their list in the body; undefined where the body is the one creation. */
export async function insertTypes(
  writer: Writer,
  making: Making,
  creations: readonly ObjectTypeCreation[],
  base: Place | undefined,
): Promise<StoredObjectType[]> {
  if (creations.length === 0) return [];
  const count = await countObjectTypes(writer, making.workspaceId);
  if (count + creations.length > maximumTypes) {
    throw new Refusal("conflict", {
      detail: `Cannot create this: a workspace has at most ${maximumTypes} Object Types`,
    });
  }
  const slugs = creations.map(({ slug }) => slug);
  const made: StoredObjectType[] = [];
  for (const [index, creation] of creations.entries()) {
    const place = base === undefined ? [] : [...base, index];
    made.push(await insertType(writer, making, creation, slugs, place));
  }
  await requireRoom(writer, making.workspaceId);
  noteChange({ target: { slugs }, before: {}, after: { version: 1 } });
  return made;
}

async function insertType(
  writer: Writer,
  { principal, workspaceId, now }: Making,
  creation: ObjectTypeCreation,
  newSlugs: readonly string[],
  base: Place,
): Promise<StoredObjectType> {
  const { name, slug } = creation;
  const definition: StoredDefinition = {
    ...(creation.displayName === undefined ? {} : { displayName: creation.displayName }),
    ...(creation.description === undefined ? {} : { description: creation.description }),
    properties: creation.properties,
    linkTypes: creation.linkTypes,
    actions: creation.actions,
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
    status: "published",
    version: 1,
    revision: 1,
    created_by: principal.oid,
    updated_by: principal.oid,
    created_at: time,
    updated_at: time,
  };
  await insertObjectType(writer, stored);
  return stored;
}
