import { type AnalyzedField, analyzeFields } from "#server/text/analysis/analyze-fields.ts";

export const analyze = (text: string): Record<string, AnalyzedField> =>
  analyzeFields([{ number: 1, text }]);

/** Name, type and value of each field, without its place. */
export function summaryOf(text: string): Record<string, [string, string | number]> {
  const entries = Object.entries(analyze(text));
  return Object.fromEntries(entries.map(([name, { type, value }]) => [name, [type, value]]));
}
