import type { Migration } from "./database/migration.ts";
import { migration as identity } from "./migrations/0001-identity.ts";
import { migration as workspaces } from "./migrations/0002-workspaces.ts";
import { migration as objectTypes } from "./migrations/0003-object-types.ts";
import { migration as resources } from "./migrations/0004-resources.ts";
import { migration as jobs } from "./migrations/0005-jobs.ts";
import { migration as documents } from "./migrations/0006-documents.ts";
import { migration as chat } from "./migrations/0007-chat.ts";
import { migration as idempotency } from "./migrations/0008-idempotency.ts";
import { migration as resourceFiles } from "./migrations/0009-resource-files.ts";
import { migration as resourceSearch } from "./migrations/0010-resource-search.ts";
import { migration as blobRemovals } from "./migrations/0011-blob-removals.ts";
import { migration as resourceStatistics } from "./migrations/0012-resource-statistics.ts";
import { migration as resourceIndex } from "./migrations/0013-resource-index.ts";
import { migration as searchUpkeep } from "./migrations/0014-search-upkeep.ts";
import { migration as searchMerges } from "./migrations/0015-search-merges.ts";
import { migration as recordNumbers } from "./migrations/0016-record-numbers.ts";

/** All migrations in their order. Forward only: a released one is never changed, only followed. */
export const migrations: readonly Migration[] = [
  identity,
  workspaces,
  objectTypes,
  resources,
  jobs,
  documents,
  chat,
  idempotency,
  resourceFiles,
  resourceSearch,
  blobRemovals,
  resourceStatistics,
  resourceIndex,
  searchUpkeep,
  searchMerges,
  recordNumbers,
];
