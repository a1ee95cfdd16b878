import { cellText } from "#lib/text/terminal.ts";

const maximumTitle = 200;

/** The title of the terminal's window for a place, e.g. `planning › documents · svc`. */
export function titleOf(trail: readonly string[]): string {
  const words = cellText(trail.join(" › ")).slice(0, maximumTitle);
  return words === "svc" ? words : `${words} · svc`;
}
