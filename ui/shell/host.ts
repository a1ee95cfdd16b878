import { charsetOf } from "../kit/theme/charset.ts";
import { Part, usePart } from "../kit/state/part.ts";
import type { DashboardOptions } from "../surface.ts";

/** Everything that the command layer gives: the terminal, folders, sign-in and stored settings. */
export const hostPart = new Part<DashboardOptions>("host");

export function useHost(): DashboardOptions {
  return usePart(hostPart);
}

/** True if the terminal draws all signs; false on the Linux console and in a locale of ASCII. */
export function useHasUnicode(): boolean {
  return charsetOf(useHost().terminal) === "unicode";
}
