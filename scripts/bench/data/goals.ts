import { milliseconds, percentile, perSecond, type Row } from "../figures.ts";

/** What a figure has to reach, over HTTP on two cores with a million records. */
export interface Goal {
  readonly perSecond?: number;
  readonly p99Ms?: number;
}

export const dataColumns: readonly string[] = ["rate", "p50", "p99", "goal"];

/** A row of `dataColumns`; `perCall` is how many of the counted things one call does. */
export function dataRow(
  name: string,
  result: { readonly perSecond: number; readonly latenciesMs: readonly number[] },
  goal: Goal = {},
  perCall = 1,
): Row {
  const rate = result.perSecond * perCall;
  const p99 = percentile(result.latenciesMs, 0.99);
  return {
    name,
    figures: [
      perSecond(rate),
      milliseconds(percentile(result.latenciesMs, 0.5)),
      milliseconds(p99),
      goalText(goal, rate, p99),
    ],
  };
}

function goalText(goal: Goal, rate: number, p99: number): string {
  const wanted: string[] = [];
  if (goal.perSecond !== undefined) {
    wanted.push(verdict(`${perSecond(goal.perSecond)}`, rate >= goal.perSecond));
  }
  if (goal.p99Ms !== undefined) wanted.push(verdict(`p99 < ${goal.p99Ms} ms`, p99 < goal.p99Ms));
  return wanted.join(", ");
}

export function verdict(goal: string, isReached: boolean): string {
  return `${goal} ${isReached ? "reached" : "missed"}`;
}
