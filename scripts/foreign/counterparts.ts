import { balancers } from "./balancers.ts";
import { realtimeBrokers } from "./brokers.ts";
import { browsers } from "./browsers.ts";
import type { Counterpart } from "./counterpart.ts";
import { passport } from "./passport.ts";
import { gdal } from "./gdal.ts";
import { patroni } from "./patroni.ts";
import { pgbouncer } from "./pgbouncer.ts";
import { postgis } from "./postgis.ts";
import { pgbackrest } from "./pgbackrest.ts";
import { prometheus } from "./prometheus.ts";
import { readers } from "./readers.ts";
import { sockets } from "./sockets.ts";
import { webhooks } from "./webhooks.ts";
import { webApp } from "./web-app.ts";

/** Every counterpart, in the order of a run without names. */
export const counterparts: readonly Counterpart[] = [
  pgbouncer,
  patroni,
  pgbackrest,
  postgis,
  browsers,
  webApp,
  passport,
  ...balancers,
  prometheus,
  gdal,
  readers,
  webhooks,
  sockets,
  realtimeBrokers,
];
