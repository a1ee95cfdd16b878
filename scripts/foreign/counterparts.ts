import type { Counterpart } from "./counterpart.ts";
import { pgbouncer } from "./pgbouncer.ts";

/** Every counterpart, in the order of a run without names. */
export const counterparts: readonly Counterpart[] = [pgbouncer];
