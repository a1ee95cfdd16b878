import type { ReportMetrics } from "#contract/geo/reports.ts";
import type { JsonObject } from "#contract/values.ts";
import { isJsonObject } from "#lib/json/value.ts";
import { ownMember } from "#lib/own-member.ts";

/** The metrics of one group, to which items are added one by one. */
export class Totals {
  #items = 0;
  readonly #sums = new Map<string, { count: number; sum: number }>();

  constructor(private readonly metrics: ReportMetrics) {}

  add(properties: JsonObject): void {
    this.#items += 1;
    for (const [name, { op, field }] of Object.entries(this.metrics)) {
      if (field === undefined) continue;
      const value = valueAt(properties, field);
      if (value === undefined || value === null) continue;
      if (op !== "count" && typeof value !== "number") continue;
      const total = this.#sums.get(name) ?? { count: 0, sum: 0 };
      total.count += 1;
      if (typeof value === "number") total.sum += value;
      this.#sums.set(name, total);
    }
  }

  /** The values by their names: a sum of nothing is 0, its average null. */
  values(): JsonObject {
    return Object.fromEntries(
      Object.entries(this.metrics).map(([name, { op, field }]) => {
        if (field === undefined) return [name, this.#items];
        const { count, sum } = this.#sums.get(name) ?? { count: 0, sum: 0 };
        if (op === "count") return [name, count];
        if (op === "sum") return [name, sum];
        return [name, count === 0 ? null : sum / count];
      }),
    );
  }
}

function valueAt(properties: JsonObject, path: string): unknown {
  const whole = ownMember(properties, path);
  if (whole !== undefined) return whole;
  return path
    .split(".")
    .reduce<unknown>(
      (value, name) => (isJsonObject(value) ? ownMember(value, name) : undefined),
      properties,
    );
}
