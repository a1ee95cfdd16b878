/** One metric with its series, as an exposition names them. */
export interface Metric {
  /** The name without the suffix of a counter or a histogram, e.g. `process_uptime_seconds`. */
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly series: readonly Series[];
}

export interface Series {
  /** `_bucket`, `_count` and `_sum` of a histogram. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string | undefined>>;
  readonly value: number;
}

/** The media type of {@link metricText}. */
export const metricMediaType = "text/plain; version=0.0.4; charset=utf-8";

/** The text format of Prometheus, version 0.0.4; a metric without series is left out. */
export function metricText(metrics: readonly Metric[]): string {
  return metrics
    .filter(({ series }) => series.length > 0)
    .map(({ name, help, type, series }) => {
      const lines = series.map(
        ({ suffix = "", labels, value }) => `${name}${suffix}${labelText(labels)} ${value}`,
      );
      return [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`, ...lines, ""].join("\n");
    })
    .join("");
}

function labelText(labels: Series["labels"]): string {
  const pairs = Object.entries(labels ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}="${escaped(value).replaceAll('"', '\\"')}"`],
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
