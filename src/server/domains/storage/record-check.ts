import type { SlotColumn } from "../object-types/service.ts";
import { inspectRecords, type InspectOptions } from "../records/service.ts";
import { searchOutOfStep, Tally, type Finding } from "./finding.ts";

export interface RecordCheck {
  readonly findings: readonly Finding[];
  readonly checked: number;
  /** False when the limit or the deadline stopped the check. */
  readonly complete: boolean;
  /** Columns that differ from the records' data. */
  readonly outOfStep: readonly SlotColumn[];
}

/** Finds records that differ from their type, references, index columns or search entries. */
export async function checkRecords(options: InspectOptions): Promise<RecordCheck> {
  const { workspace_id: workspaceId, slug } = options.type;
  const [unfit, dangling, unsearchable] = [new Tally(), new Tally(), new Tally()];
  const columns = new Map<SlotColumn, Tally>();
  const { checked, complete, strayEntries } = await inspectRecords(options, {
    unfit: (fault) => unfit.add(fault),
    dangling: (fault) => dangling.add(fault),
    unsearchable: (id) => unsearchable.add(id),
    outOfStep(column, id) {
      if (!columns.has(column)) columns.set(column, new Tally());
      columns.get(column)?.add(id);
    },
  });
  unsearchable.count += strayEntries;
  const shared = { backend: "documentdb", workspaceId } as const;
  const outOfStep = [...columns.keys()].toSorted((one, other) =>
    one.column < other.column ? -1 : 1,
  );
  const findings = [
    ...unfit.finding({
      ...shared,
      code: "record-unfit",
      severity: "warning",
      subject: slug,
      detail: "Records do not match their Object Type",
      mend: "Correct them with `svc resources update`, or let the Object Type allow their values",
      fixable: false,
    }),
    ...dangling.finding({
      code: "reference-dangling",
      backend: "documentdb",
      severity: "warning",
      workspaceId,
      subject: slug,
      detail: "Records refer to records that do not exist",
      mend: "Remove or replace the references with `svc resources update`",
      fixable: false,
    }),
    ...unsearchable.finding({
      ...searchOutOfStep(workspaceId, "The search index differs from the records"),
      subject: slug,
    }),
    ...outOfStep.flatMap(
      (column) =>
        columns.get(column)?.finding({
          ...shared,
          code: "index-out-of-step",
          severity: "error",
          subject: `${slug}.${column.slot.property}`,
          detail: "The index differs from the records, so filters and sorts return wrong results",
          mend: "Run `svc serve doctor --fix`, which fills the index from the records",
          fixable: true,
        }) ?? [],
    ),
  ];
  return { findings, checked, complete, outOfStep };
}
