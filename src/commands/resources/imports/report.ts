import type { Shown } from "#cli/shown.ts";
import { shown } from "#cli/shown.ts";
import { counted } from "#lib/text/counted.ts";
import type { Answer } from "../../kit/answer.ts";
import type { CommandContext } from "../../kit/context.ts";
import type { RowFault } from "./row-items.ts";
import type { SkippedRow } from "./table-rows.ts";

/** Faults and rows that text mode shows. */
const shownRows = 20;

export interface ColumnPlace {
  readonly column: string;
  /** `null` for a column that is left out. */
  readonly property: string | null;
}

export interface ImportReport {
  readonly importId: string | null;
  readonly format: string;
  readonly columns: readonly ColumnPlace[];
  readonly created: number;
  readonly updated: number;
  /** Rows that an interrupted run has written. */
  readonly earlier: number;
  readonly rejected: number;
  /** Files that rows name: sent, and equal to the stored ones. */
  readonly files: { readonly sent: number; readonly unchanged: number };
  readonly deleted: number;
  /** Records without a row, with --delete-missing. */
  readonly missing: number | null;
  /** The first 1,000 of those that the platform did not delete. */
  readonly kept: readonly { readonly key: string; readonly reason: string }[];
  readonly dryRun: boolean;
  readonly skipped: readonly SkippedRow[];
  readonly faults: readonly RowFault[];
  /** The first rows of a dry run. */
  readonly rows: readonly { readonly row: number; readonly action: "create" | "update" }[];
  readonly rejects: string | null;
}

/** The schema of {@link ImportReport}. */
export const reportAnswer: Answer = ({ z }) => {
  const count = z.int().min(0);
  return z.strictObject({
    importId: z.string().nullable(),
    format: z.string(),
    columns: z.array(z.strictObject({ column: z.string(), property: z.string().nullable() })),
    created: count,
    updated: count,
    earlier: count,
    rejected: count,
    files: z.strictObject({ sent: count, unchanged: count }),
    deleted: count,
    missing: count.nullable(),
    kept: z.array(z.strictObject({ key: z.string(), reason: z.string() })),
    dryRun: z.boolean(),
    skipped: z.array(z.strictObject({ row: z.int(), reason: z.string() })),
    faults: z.array(
      z.strictObject({ row: z.int(), column: z.string().optional(), reason: z.string() }),
    ),
    rows: z.array(z.strictObject({ row: z.int(), action: z.enum(["create", "update"]) })),
    rejects: z.string().nullable(),
  });
};

export function reportLines(
  { output }: CommandContext,
  type: string,
  report: ImportReport,
): Shown[] {
  const { created, updated, earlier, rejected, skipped, faults, dryRun, rows } = report;
  const [make, change] = dryRun ? ["to create", "to update"] : ["created", "updated"];
  const parts = [
    `${created} ${make}`,
    `${updated} ${change}`,
    ...(earlier > 0 ? [`${earlier} written by an earlier run`] : []),
    ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ...fileWords(report),
    ...(skipped.length > 0 ? [`${skipped.length} skipped`] : []),
    ...(report.missing === null ? [] : [missingWords(report)]),
  ];
  return [
    shown`${type}: ${parts.join(", ")}`,
    ...(dryRun
      ? output.table(rows.slice(0, shownRows), [
          { heading: "row", value: ({ row }) => row, align: "right", whole: true },
          { heading: "action", value: ({ action }) => action },
        ])
      : []),
    ...output.table(faults.slice(0, shownRows), [
      { heading: "row", value: ({ row }) => row, align: "right", whole: true },
      { heading: "column", value: ({ column }) => column ?? "", whole: true },
      { heading: "reason", value: ({ reason }) => reason },
    ]),
    ...(faults.length > shownRows
      ? [shown`and ${counted(faults.length - shownRows, "more reason")}; --format json shows more`]
      : []),
    ...output.table(report.kept.slice(0, shownRows), [
      { heading: "key", value: ({ key }) => key, whole: true },
      { heading: "not deleted", value: ({ reason }) => reason },
    ]),
    ...output.table(skipped.slice(0, shownRows), [
      { heading: "row", value: ({ row }) => row, align: "right", whole: true },
      { heading: "skipped", value: ({ reason }) => reason },
    ]),
    ...(report.rejects === null ? [] : [shown`Rejected rows: ${report.rejects}`]),
  ];
}

function fileWords({ files: { sent, unchanged } }: ImportReport): string[] {
  return [
    ...(sent > 0 ? [`${counted(sent, "file")} sent`] : []),
    ...(unchanged > 0 ? [`${counted(unchanged, "file")} unchanged`] : []),
  ];
}

function missingWords({ missing, deleted, dryRun }: ImportReport): string {
  return dryRun ? `${missing} to delete` : `${deleted} of ${missing} missing deleted`;
}
