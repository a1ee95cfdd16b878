const levels = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;

/** Figures in equal steps of columns, relative to the largest: `▁▂▅█`; the lowest level is 0. */
export function sparkText(values: readonly number[], step = 1): string {
  const most = Math.max(0, ...values);
  const levelOf = (value: number) =>
    most === 0 ? 0 : Math.ceil((Math.max(0, value) / most) * (levels.length - 1));
  return values.map((value) => (levels[levelOf(value)] ?? "").repeat(step)).join("");
}
