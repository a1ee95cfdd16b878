/** So many things in words, e.g. `1 record` and `2,000 records`; `thing` is what one is called. */
export function counted(count: number, thing: string): string {
  return `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;
}
