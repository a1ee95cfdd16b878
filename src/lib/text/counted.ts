/** A count with its noun, as in `1 record` and `2,000 records`; `thing` is the singular. */
export function counted(count: number, thing: string): string {
  return `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
}
