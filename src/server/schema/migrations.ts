import type { Migration } from "../database/migration.ts";
import { migration as firstSchema } from "./0001-first-schema.ts";
import { migration as auditSeals } from "./0002-audit-seals.ts";
import { migration as draftWorkspaces } from "./0003-draft-workspaces.ts";
import { migration as changeBatches } from "./0004-change-batches.ts";
import { migration as severalPlatforms } from "./0005-several-platforms.ts";
import { migration as appPkce } from "./0009-app-pkce.ts";
import { migration as recordLinks } from "./0010-record-links.ts";
import { migration as trash } from "./0013-trash.ts";
import { migration as erasures } from "./0014-erasures.ts";
import { migration as timeZones } from "./0015-time-zones.ts";
import { migration as feed } from "./0016-feed.ts";
import { migration as alerts } from "./0021-alerts.ts";

/** All migrations in their order. A released one never changes, and a later one only adds. */
export const migrations: readonly Migration[] = [
  firstSchema,
  auditSeals,
  draftWorkspaces,
  changeBatches,
  severalPlatforms,
  appPkce,
  recordLinks,
  trash,
  erasures,
  timeZones,
  feed,
  alerts,
];
