import type { Row } from "../figures.ts";

export interface DrillResult {
  readonly name: string;
  /** Writes, or other requests, that were answered with a success. */
  readonly acknowledged?: number;
  /** A drill throws at its first loss, with what was lost. */
  readonly lost: number;
  /** Lives, kinds of failure or pairs of a command and an attack. */
  readonly cells: number;
  /** Why the drill was not run. */
  readonly skipped?: string;
}

/** The records and files that a drill stores first. */
export interface FilledSize {
  readonly records: number;
  readonly files: number;
}

/** Records of one request of a drill that stores many. */
export const recordsAtOnce = 500;

export const drillColumns: readonly string[] = ["acknowledged", "lost", "cells tried"];

export function rowOf({ name, acknowledged, lost, cells, skipped }: DrillResult): Row {
  if (skipped !== undefined) return { name: `${name}: not run, ${skipped}`, figures: [] };
  const figures = [acknowledged ?? "", lost, cells].map((figure) => figure.toLocaleString("en"));
  return { name, figures };
}

export function skippedDrill(name: string, skipped: string): DrillResult {
  return { name, lost: 0, cells: 0, skipped };
}

/** A platform whose disk fails while it starts says so without a stack, and ends. */
export function requireRefusedStart(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  const isStart = /^svc serve ended with exit code 1:\n\{[^]*"code": "E\d|^PostgreSQL did not/.test(
    words,
  );
  if (!isStart || /^\s+at .*:\d+/m.test(words)) throw error;
  return "the start was refused";
}
