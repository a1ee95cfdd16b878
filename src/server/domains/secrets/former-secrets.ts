import { Refusal } from "#contract/problems.ts";

/** A sealed secret that was replaced, and the end of its grace. */
export interface FormerSecret {
  readonly secret: string;
  readonly until: string;
}

/** Former secrets that are kept: each one is tried, or makes the header of signatures longer. */
const maximumFormer = 5;

/** The column of the secrets that were replaced before the last one. */
interface Earlier<Former> {
  /** The last one. Another one is of the previous build, which ends the earlier ones. */
  readonly before: string;
  readonly secrets: readonly Former[];
}

/** The former secrets whose grace runs, the last one first. */
export function formerSecrets<Former extends FormerSecret>(
  last: Former | undefined,
  earlier: string | null,
  now: Date,
): Former[] {
  if (last === undefined) return [];
  // Only `earlierSecrets` writes the column.
  const stored = JSON.parse(earlier ?? "null") as Earlier<Former> | null;
  const older = stored?.before === last.secret ? stored.secrets : [];
  return [last, ...older].filter(({ until }) => until > now.toISOString());
}

/**
 * The column once `last` is replaced, next to which these former ones are kept. Refuses 409 beyond
 * five in all.
 */
export function earlierSecrets(last: string, former: readonly FormerSecret[]): string | null {
  if (former.length === 0) return null;
  if (former.length >= maximumFormer) {
    const first = former.map(({ until }) => until).toSorted()[0] ?? "";
    throw new Refusal("conflict", {
      detail: `Cannot keep another former secret: ${maximumFormer} are valid, one of them until ${first}. Wait until then, or rotate with a grace of 0 days, which ends all of them now`,
    });
  }
  const column: Earlier<FormerSecret> = { before: last, secrets: former };
  return JSON.stringify(column);
}

/** The end of the last grace that runs; null without one. */
export function lastGrace(former: readonly FormerSecret[]): string | null {
  return (
    former
      .map(({ until }) => until)
      .toSorted()
      .at(-1) ?? null
  );
}
