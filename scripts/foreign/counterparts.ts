import { balancers } from "./balancers.ts";
import type { Counterpart } from "./counterpart.ts";
import { prometheus } from "./prometheus.ts";
import { pgbouncer } from "./pgbouncer.ts";

/** Every counterpart, in the order of a run without names. */
export const counterparts: readonly Counterpart[] = [pgbouncer, ...balancers, prometheus];
