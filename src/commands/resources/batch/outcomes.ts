import { shown, type Shown } from "#cli/shown.ts";
import type { Output } from "#cli/output/output.ts";
import type { Column } from "#cli/output/table.ts";
import type { BatchResult } from "#contract/resources/batch.ts";
import { given } from "#lib/given.ts";
import { pointerWords } from "#lib/json/pointer.ts";
import { fieldsNamed, RowWriter, type Field } from "../../kit/output/rows.ts";

/** Outcomes that are held. With more items, only failed ones are held. */
const heldOutcomes = 10_000;
/** Failures that text mode shows. */
const shownFailures = 100;

export interface Outcome extends BatchResult {
  /** The item's row in a CSV, as a spreadsheet counts. */
  readonly row?: number;
}

export const outcomeFields: readonly Field<Outcome>[] = [
  ...fieldsNamed<Outcome>("index", "row", "id", "status", "version"),
  { name: "error", value: (outcome) => (isFailure(outcome) ? whyText(outcome) : undefined) },
];

/** A request's result, with index and pointers moved by the `sentBefore` items before it. */
export function outcomeOf(
  result: BatchResult,
  sentBefore: number,
  row: number | undefined,
): Outcome {
  const { index: inRequest, error } = result;
  const index = sentBefore + inRequest;
  const moved = (text: string): string =>
    text.replace(/^(#(?:\/items)?\/)(\d+)(?=[/ ]|$)/, (whole, start: string, place: string) =>
      Number(place) === inRequest ? `${start}${index}` : whole,
    );
  return {
    ...result,
    index,
    ...given({ row }),
    ...(error === undefined ? {} : { error: movedProblem(error, moved) }),
  };
}

function movedProblem(
  error: NonNullable<BatchResult["error"]>,
  moved: (text: string) => string,
): NonNullable<BatchResult["error"]> {
  const { detail, errors } = error;
  return {
    ...error,
    ...(detail === undefined ? {} : { detail: moved(detail) }),
    ...(errors === undefined
      ? {}
      : { errors: errors.map((fault) => ({ ...fault, pointer: moved(fault.pointer) })) }),
  };
}

const rowColumn: Column<Outcome> = {
  heading: "row",
  value: ({ row }) => row,
  align: "right",
  whole: true,
};

function isFailure({ status }: BatchResult): boolean {
  return status >= 300;
}

function whyText({ error }: BatchResult): string {
  const faults = error?.errors ?? [];
  if (faults.length === 0) return error?.detail ?? error?.title ?? "";
  return faults.map(({ pointer, detail }) => `${pointerWords(pointer)} ${detail}`).join("; ");
}

/** The outcomes of a batch, in bounded memory. Rows of CSV and NDJSON are printed at once. */
export class Outcomes {
  readonly #output: Output;
  readonly #writer: RowWriter<Outcome> | undefined;
  #held: Outcome[] = [];
  #isWhole = true;
  succeeded = 0;
  failed = 0;

  constructor(output: Output, fields: readonly Field<Outcome>[] | undefined) {
    this.#output = output;
    const { format } = output.settings;
    if (format === "csv") {
      this.#writer = new RowWriter(output, { format, fields: fields ?? outcomeFields });
    } else if (format === "ndjson") this.#writer = new RowWriter(output, { format, fields });
    if (this.#writer !== undefined) output.openStream();
  }

  /** True if rows go to stdout, so that the summary goes to stderr. */
  get isStream(): boolean {
    return this.#writer !== undefined;
  }

  async add(results: readonly Outcome[]): Promise<void> {
    const failures = results.filter(isFailure);
    this.failed += failures.length;
    this.succeeded += results.length - failures.length;
    if (this.#writer !== undefined) {
      await this.#writer.write(results);
      return;
    }
    if (this.#isWhole && this.#held.length + results.length > heldOutcomes) {
      this.#isWhole = false;
      this.#held = this.#held.filter(isFailure);
    }
    const kept = this.#isWhole ? results : failures;
    this.#held.push(...kept.slice(0, Math.max(0, heldOutcomes - this.#held.length)));
  }

  /** The JSON answer; `resultsTruncated` if `results` lacks outcomes. */
  facts(): object {
    const { succeeded, failed } = this;
    const truncated = this.#isWhole ? {} : { resultsTruncated: true };
    return { results: this.#held, succeeded, failed, ...truncated };
  }

  failureLines(): Shown[] {
    const failures = this.#held.filter(isFailure).slice(0, shownFailures);
    if (failures.length === 0) return [];
    const more = this.failed - failures.length;
    return [
      ...this.#output.table(failures, [
        ...(failures.some(({ row }) => row !== undefined) ? [rowColumn] : []),
        { heading: "item", value: ({ index }) => index, align: "right", whole: true },
        { heading: "id", value: ({ id }) => id, whole: true, optional: true },
        { heading: "status", value: ({ status }) => status, align: "right", whole: true },
        { heading: "why", value: whyText },
      ]),
      ...(more > 0 ? [shown`and ${more} more; --format ndjson shows all`] : []),
    ];
  }
}
