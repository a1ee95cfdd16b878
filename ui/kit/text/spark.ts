const levels = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;

/** Figures as one column each, relative to the largest: `▁▂▅█`; the lowest level is 0. */
export function sparkText(values: readonly number[]): string {
  const most = Math.max(0, ...values);
  const levelOf = (value: number) =>
    most === 0 ? 0 : Math.ceil((Math.max(0, value) / most) * (levels.length - 1));
  return values.map((value) => levels[levelOf(value)] ?? "").join("");
}
