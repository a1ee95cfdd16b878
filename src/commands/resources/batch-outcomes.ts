import type { Output } from "#cli/output.ts";
import type { BatchResult } from "#contract/resources/batch.ts";
import { pointerWords } from "#lib/json-pointer.ts";
import { RowWriter, type Field } from "../rows.ts";

/** Outcomes that are held: of at most so many items all of them, of more the first that failed. */
const heldOutcomes = 10_000;
/** Failures that people read. */
const shownFailures = 100;

/** Columns of outcomes. */
export const outcomeFields: readonly Field<BatchResult>[] = [
  { name: "index", value: (row) => row.index },
  { name: "id", value: (row) => row.id },
  { name: "status", value: (row) => row.status },
  { name: "version", value: (row) => row.version },
  { name: "error", value: (row) => (isFailure(row) ? whyText(row) : undefined) },
];

function isFailure({ status }: BatchResult): boolean {
  return status >= 300;
}

function whyText({ error }: BatchResult): string {
  const faults = error?.errors ?? [];
  if (faults.length === 0) return error?.detail ?? error?.title ?? "";
  return faults.map(({ pointer, detail }) => `${pointerWords(pointer)} ${detail}`).join("; ");
}

/** What came of the items of a batch, in bounded memory; rows of CSV and NDJSON leave at once. */
export class Outcomes {
  readonly #output: Output;
  readonly #writer: RowWriter<BatchResult> | undefined;
  #held: BatchResult[] = [];
  #isWhole = true;
  succeeded = 0;
  failed = 0;

  constructor(output: Output, fields: readonly Field<BatchResult>[] | undefined) {
    this.#output = output;
    const { format } = output.settings;
    if (format === "csv") {
      this.#writer = new RowWriter(output, { format, fields: fields ?? outcomeFields });
    } else if (format === "ndjson") this.#writer = new RowWriter(output, { format, fields });
    if (this.#writer !== undefined) output.openStream();
  }

  /** Whether rows have left, so that the summary is for stderr. */
  get isStream(): boolean {
    return this.#writer !== undefined;
  }

  async add(results: readonly BatchResult[]): Promise<void> {
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

  /** For the JSON answer; `resultsTruncated` where `results` is not every outcome. */
  facts(): object {
    const { succeeded, failed } = this;
    const truncated = this.#isWhole ? {} : { resultsTruncated: true };
    return { results: this.#held, succeeded, failed, ...truncated };
  }

  failureLines(): string[] {
    const failures = this.#held.filter(isFailure).slice(0, shownFailures);
    if (failures.length === 0) return [];
    const more = this.failed - failures.length;
    return [
      ...this.#output.table(failures, [
        { heading: "item", value: (row) => row.index, align: "right", whole: true },
        { heading: "id", value: (row) => row.id, whole: true, optional: true },
        { heading: "status", value: (row) => row.status, align: "right", whole: true },
        { heading: "why", value: whyText },
      ]),
      ...(more > 0 ? [`and ${more} more; --format ndjson has each`] : []),
    ];
  }
}
