import { Part, usePart } from "../kit/state/part.ts";
import type { DashboardOptions } from "../surface.ts";

/** Everything that the command layer gives: the terminal, folders, sign-in and stored settings. */
export const hostPart = new Part<DashboardOptions>("host");

export function useHost(): DashboardOptions {
  return usePart(hostPart);
}
