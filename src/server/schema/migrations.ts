import type { Migration } from "../database/migration.ts";
import { migration as firstSchema } from "./changes/0001-first-schema.ts";
import { migration as auditSeals } from "./changes/0002-audit-seals.ts";
import { migration as draftWorkspaces } from "./changes/0003-draft-workspaces.ts";
import { migration as changeBatches } from "./changes/0004-change-batches.ts";
import { migration as severalPlatforms } from "./changes/0005-several-platforms.ts";
import { migration as appPkce } from "./changes/0009-app-pkce.ts";
import { migration as recordLinks } from "./changes/0010-record-links.ts";
import { migration as trash } from "./changes/0013-trash.ts";
import { migration as erasures } from "./changes/0014-erasures.ts";
import { migration as timeZones } from "./changes/0015-time-zones.ts";
import { migration as feed } from "./changes/0016-feed.ts";
import { migration as webhooks } from "./changes/0018-webhooks.ts";
import { migration as webhookSources } from "./changes/0019-webhook-sources.ts";
import { migration as textOrder } from "./changes/0020-text-order.ts";

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
  webhooks,
  webhookSources,
  textOrder,
];
