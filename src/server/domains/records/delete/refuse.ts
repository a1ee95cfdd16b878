import { Refusal } from "#contract/problems.ts";
import { counted } from "#lib/text/counted.ts";
import type { Work } from "../../../work/work.ts";
import { mayNameField } from "../rights/permitted-data.ts";
import { maximumAffected, type Blocked, type Blocker } from "./plan.ts";

const maximumNamed = 10;

/** 409 with the number of references, and the first ten for a caller that may read records. */
export function stillReferenced(
  work: Work,
  { total, blockers }: Blocked,
  mayRead: boolean,
): Refusal {
  const known = blockers.filter(({ type, path }) => mayNameField(work, type, path));
  const named = mayRead ? known.slice(0, maximumNamed) : [];
  const [first] = named;
  const example =
    first === undefined ? "" : `, such as ${first.path} of ${first.type.slug} ${first.id}`;
  return new Refusal("still-referenced", {
    detail: `Cannot delete this record: ${counted(total, "reference")} to it would be left${example}`,
    members: { total, references: named.map(referenceOf) },
  });
}

export function referenceOf({ type, id, path }: Blocker) {
  return { type: type.slug, id, property: path };
}

export function tooLarge(): Refusal {
  return new Refusal("conflict", {
    detail:
      `Cannot delete this record: more than ${maximumAffected} other records would be deleted ` +
      `or changed; delete or change them first`,
  });
}
