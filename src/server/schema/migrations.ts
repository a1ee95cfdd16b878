import type { Migration } from "../database/migration.ts";
import { migration as firstSchema } from "./changes/0001-first-schema.ts";
import { migration as auditSeals } from "./changes/0002-0010/0002-audit-seals.ts";
import { migration as draftWorkspaces } from "./changes/0002-0010/0003-draft-workspaces.ts";
import { migration as changeBatches } from "./changes/0002-0010/0004-change-batches.ts";
import { migration as severalPlatforms } from "./changes/0002-0010/0005-several-platforms.ts";
import { migration as appPkce } from "./changes/0002-0010/0009-app-pkce.ts";
import { migration as recordLinks } from "./changes/0002-0010/0010-record-links.ts";
import { migration as trash } from "./changes/0013-0020/0013-trash.ts";
import { migration as erasures } from "./changes/0013-0020/0014-erasures.ts";
import { migration as timeZones } from "./changes/0013-0020/0015-time-zones.ts";
import { migration as feed } from "./changes/0013-0020/0016-feed.ts";
import { migration as webhooks } from "./changes/0013-0020/0018-webhooks.ts";
import { migration as webhookSources } from "./changes/0013-0020/0019-webhook-sources.ts";
import { migration as textOrder } from "./changes/0013-0020/0020-text-order.ts";
import { migration as alerts } from "./changes/0021-alerts.ts";
import { migration as geoDatasets } from "./changes/0022-geo-datasets.ts";
import { migration as alertMails } from "./changes/0023-alert-mails.ts";
import { migration as feedTimeline } from "./changes/0024-feed-timeline.ts";
import { migration as geoReports } from "./changes/0025-geo-reports.ts";
import { migration as recordImports } from "./changes/0026-record-imports.ts";
import { migration as archives } from "./changes/0027-archives.ts";
import { migration as dataMoves } from "./changes/0028-data-moves.ts";
import { migration as backups } from "./changes/0029-0038/0029-backups.ts";
import { migration as marks } from "./changes/0029-0038/0030-marks.ts";
import { migration as recordGeometries } from "./changes/0032-record-geometries.ts";
import { migration as recordPlaces } from "./changes/0033-record-places.ts";
import { migration as webhookAttempts } from "./changes/0029-0038/0036-webhook-attempts.ts";
import { migration as feedIndex } from "./changes/0029-0038/0037-feed-index.ts";
import { migration as geoNamesAndResults } from "./changes/0029-0038/0038-geo-names-and-results.ts";
import { migration as searchTerms } from "./changes/0039-0048/0041-search-terms.ts";
import { migration as spreadBoxes } from "./changes/0039-0048/0044-spread-boxes.ts";
import { migration as propertyTypes } from "./changes/0039-0048/0045-property-types.ts";
import { migration as cheaperFeed } from "./changes/0039-0048/0046-cheaper-feed.ts";
import { migration as severalRotations } from "./changes/0039-0048/0048-several-rotations.ts";
import { migration as feedSizes } from "./changes/0049-0058/0049-feed-sizes.ts";
import { migration as sharedNumbers } from "./changes/0049-0058/0050-shared-numbers.ts";
import { migration as idShares } from "./changes/0049-0058/0051-id-shares.ts";

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
  alerts,
  geoDatasets,
  alertMails,
  feedTimeline,
  geoReports,
  recordImports,
  archives,
  dataMoves,
  backups,
  marks,
  recordGeometries,
  recordPlaces,
  webhookAttempts,
  feedIndex,
  geoNamesAndResults,
  searchTerms,
  spreadBoxes,
  propertyTypes,
  cheaperFeed,
  severalRotations,
  feedSizes,
  sharedNumbers,
  idShares,
];
