import { shown, type Shown } from "#cli/shown.ts";
import { counted } from "#lib/text/counted.ts";
import type { Answer } from "../../kit/answer.ts";
import type { CommandContext } from "../../kit/context.ts";
import type { LeftOut } from "./properties.ts";

/** Changes and refusals that text mode shows. */
const shownRows = 20;

export interface SyncReport {
  /** True for a plan, which changes nothing. */
  readonly dryRun: boolean;
  readonly type: string;
  readonly key: string;
  readonly copied: readonly string[];
  readonly leftOut: readonly LeftOut[];
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  /** Records of the target without one in the source; null without --delete. */
  readonly missing: number | null;
  readonly deleted: number;
  readonly refused: number;
  /** False if the target could not check a plan. */
  readonly checked: boolean;
  /** The first 1,000 missing records that the target did not delete. */
  readonly kept: readonly { readonly key: string; readonly reason: string }[];
  /** The list has the first 1,000 changes. */
  readonly changes: readonly {
    readonly key: string;
    readonly action: "create" | "update";
    readonly properties: readonly string[];
  }[];
  /** The list has the first 1,000 refusals. */
  readonly faults: readonly { readonly key: string; readonly reason: string }[];
}

/** The schema of {@link SyncReport}. */
export const syncAnswer: Answer = ({ z }) => {
  const count = z.int().min(0);
  return z.strictObject({
    dryRun: z.boolean(),
    type: z.string(),
    key: z.string(),
    copied: z.array(z.string()),
    leftOut: z.array(z.strictObject({ property: z.string(), reason: z.string() })),
    created: count,
    updated: count,
    unchanged: count,
    missing: count.nullable(),
    deleted: count,
    refused: count,
    checked: z.boolean(),
    kept: z.array(z.strictObject({ key: z.string(), reason: z.string() })),
    changes: z.array(
      z.strictObject({
        key: z.string(),
        action: z.enum(["create", "update"]),
        properties: z.array(z.string()),
      }),
    ),
    faults: z.array(z.strictObject({ key: z.string(), reason: z.string() })),
  });
};

export function syncLines({ output }: CommandContext, report: SyncReport): Shown[] {
  const { type, dryRun, created, updated, unchanged, missing, deleted, refused } = report;
  const parts = [
    `${created} ${dryRun ? "to create" : "created"}`,
    `${updated} ${dryRun ? "to update" : "updated"}`,
    `${unchanged} unchanged`,
    ...(missing === null ? [] : [dryRun ? `${missing} to delete` : `${deleted} deleted`]),
    ...(refused === 0 ? [] : [`${refused} refused`]),
  ];
  const hasWork = created + updated + (missing ?? 0) > 0;
  return [
    shown`${type}: ${parts.join(", ")}`,
    ...report.leftOut.map(({ property, reason }) => shown`${property} is left out: ${reason}`),
    ...output.table(dryRun ? report.changes.slice(0, shownRows) : [], [
      { heading: "key", value: ({ key }) => key, whole: true },
      { heading: "action", value: ({ action }) => action },
      { heading: "properties", value: ({ properties }) => properties.join(", ") },
    ]),
    ...output.table(report.faults.slice(0, shownRows), [
      { heading: "key", value: ({ key }) => key, whole: true },
      { heading: "reason", value: ({ reason }) => reason },
    ]),
    ...output.table(report.kept.slice(0, shownRows), [
      { heading: "key", value: ({ key }) => key, whole: true },
      { heading: "not deleted", value: ({ reason }) => reason },
    ]),
    ...(refused > shownRows
      ? [shown`and ${counted(refused - shownRows, "more refusal")}; --format json shows more`]
      : []),
    ...(report.checked
      ? []
      : [shown`The target cannot check a plan: it may refuse records that are listed here`]),
    ...(dryRun && hasWork ? [shown`Nothing was changed. Add --yes to do this`] : []),
  ];
}
