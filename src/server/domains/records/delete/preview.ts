import type { DeletionPreview } from "#contract/resources/deletions.ts";
import type { Blocker, DeletionPlan } from "./plan.ts";
import { referenceOf } from "./refuse.ts";

const maximumShown = 100;

/** The effects of a plan for one record, with the first hundred records of each kind. */
export function previewOf({ deleted, cleared, blocked, tooLarge }: DeletionPlan): DeletionPreview {
  const blocking = blocked.get(0) ?? { total: 0, blockers: [] };
  const clears = cleared.map(({ type, record: { id }, rule: { path } }) => ({ type, id, path }));
  return {
    allowed: blocking.total === 0 && tooLarge.size === 0,
    deletes: {
      total: deleted.length,
      records: deleted
        .slice(0, maximumShown)
        .map(({ type, record: { id } }) => ({ type: type.slug, id })),
    },
    clears: referencesOf(clears, clears.length),
    blockedBy: referencesOf(blocking.blockers, blocking.total),
  };
}

function referencesOf(references: readonly Blocker[], total: number) {
  return { total, references: references.slice(0, maximumShown).map(referenceOf) };
}
