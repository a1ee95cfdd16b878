import { balancers } from "./balancers.ts";
import { browsers } from "./browsers.ts";
import type { Counterpart } from "./counterpart.ts";
import { patroni } from "./patroni.ts";
import { pgbouncer } from "./pgbouncer.ts";
import { prometheus } from "./prometheus.ts";
import { webApp } from "./web-app.ts";

/** Every counterpart, in the order of a run without names. */
export const counterparts: readonly Counterpart[] = [
  pgbouncer,
  patroni,
  browsers,
  webApp,
  ...balancers,
  prometheus,
];
