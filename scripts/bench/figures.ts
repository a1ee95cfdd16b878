/** Samples of one measured thing, in milliseconds unless its unit says otherwise. */
export interface Samples {
  readonly name: string;
  readonly values: readonly number[];
}

/** A line of a bench group: what was measured, and its figures in the group's columns. */
export interface Row {
  readonly name: string;
  readonly figures: readonly string[];
}

/** One group of `npm run bench`: it says what its columns are, measures, and answers rows. */
export interface Group {
  readonly name: string;
  readonly columns: readonly string[];
  measure(): Promise<readonly Row[]>;
}

/** The value below which `share` (0 to 1) of the samples lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`;
}

export function microseconds(value: number): string {
  return `${value.toFixed(1)} µs`;
}

export function perSecond(value: number): string {
  return `${Math.round(value).toLocaleString("en")}/s`;
}

export function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** p50 and p99 of each, and how many times the p50 of the first, which is the baseline. */
export function besideFirst(samples: readonly Samples[]): Row[] {
  const baseline = percentile(samples[0]?.values ?? [], 0.5);
  return samples.map(({ name, values }) => {
    const median = percentile(values, 0.5);
    return {
      name,
      figures: [
        milliseconds(median),
        milliseconds(percentile(values, 0.99)),
        `${(median / baseline).toFixed(2)} x`,
      ],
    };
  });
}

/** The columns that `besideFirst` fills. */
export const besideFirstColumns: readonly string[] = ["p50", "p99", "of the first"];

/** The milliseconds that some work takes in this thread. */
export function took(work: () => void): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}

/** A mechanism in this process, on and off: rates, the gain, and the 99th percentiles. */
export function gainRow(name: string, on: readonly number[], off: readonly number[]): Row {
  const [fast, slow] = [percentile(on, 0.5), percentile(off, 0.5)];
  return {
    name,
    figures: [
      perSecond(1000 / fast),
      perSecond(1000 / slow),
      `${(slow / fast).toFixed(2)} x`,
      milliseconds(percentile(on, 0.99)),
      milliseconds(percentile(off, 0.99)),
    ],
  };
}

export function renderGroup(group: Omit<Group, "measure">, rows: readonly Row[]): string {
  const lines = [[group.name, ...group.columns], ...rows.map((row) => [row.name, ...row.figures])];
  const widths = lines.reduce<number[]>(
    (widest, line) => line.map((cell, column) => Math.max(widest[column] ?? 0, cell.length)),
    [],
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join("  "),
    )
    .join("\n");
}
