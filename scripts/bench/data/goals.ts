import { milliseconds, percentile, perSecond, type Row } from "../figures.ts";

/** The goal of a figure, over HTTP on two cores with a million records. */
export interface Goal {
  readonly perSecond?: number;
  readonly p99Ms?: number;
}

/**
 * `CPU` is the server's processor time for one call: what another's load on the machine changes
 * least.
 */
export const dataColumns: readonly string[] = ["rate", "p50", "p99", "CPU", "goal"];

export interface Measured {
  readonly perSecond: number;
  readonly latenciesMs: readonly number[];
  /** Processor time of all calls, in microseconds. */
  readonly usedMicroseconds: number;
}

/** A row of `dataColumns`; `perCall` is how many of the counted things one call does. */
export function dataRow(name: string, result: Measured, goal: Goal = {}, perCall = 1): Row {
  const rate = result.perSecond * perCall;
  const p99 = percentile(result.latenciesMs, 0.99);
  return {
    name,
    figures: [
      perSecond(rate),
      milliseconds(percentile(result.latenciesMs, 0.5)),
      milliseconds(p99),
      microseconds(result.usedMicroseconds / result.latenciesMs.length),
      goalText(goal, rate, p99),
    ],
  };
}

function microseconds(value: number): string {
  if (Number.isNaN(value)) return "";
  return value < 10_000 ? `${value.toFixed(0)} µs` : `${(value / 1_000).toFixed(0)} ms`;
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
