import type { DeletionPreview } from "#contract/resources/deletions.ts";
import type { Blocker, DeletionPlan } from "./plan.ts";
import type { Work } from "../../../work/work.ts";
import { readableFields } from "../../object-types/service.ts";
import { mayNameField } from "../rights/permitted-data.ts";
import { referenceOf } from "./refuse.ts";

const maximumShown = 100;

/** The effects of a plan for one record, with the first hundred records of each kind. */
export function previewOf(
  work: Work,
  { deleted, cleared, blocked, tooLarge }: DeletionPlan,
): DeletionPreview {
  const blocking = blocked.get(0) ?? { total: 0, blockers: [] };
  const clears = cleared.map(({ type, record: { id }, rule: { path } }) => ({ type, id, path }));
  return {
    allowed: blocking.total === 0 && tooLarge.size === 0,
    deletes: {
      total: deleted.length,
      records: deleted
        .filter(({ type }) => readableFields(work, type) !== undefined)
        .slice(0, maximumShown)
        .map(({ type, record: { id } }) => ({ type: type.slug, id })),
    },
    clears: referencesOf(work, clears, clears.length),
    blockedBy: referencesOf(work, blocking.blockers, blocking.total),
  };
}

function referencesOf(work: Work, references: readonly Blocker[], total: number) {
  const known = references.filter(({ type, path }) => mayNameField(work, type, path));
  return { total, references: known.slice(0, maximumShown).map(referenceOf) };
}
