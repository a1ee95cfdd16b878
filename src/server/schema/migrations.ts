import type { Migration } from "../database/migration.ts";
import { migration as identity } from "./0001-identity.ts";
import { migration as workspaces } from "./0002-workspaces.ts";
import { migration as objectTypes } from "./0003-object-types.ts";
import { migration as resources } from "./0004-resources.ts";
import { migration as jobs } from "./0005-jobs.ts";
import { migration as documents } from "./0006-documents.ts";
import { migration as chat } from "./0007-chat.ts";
import { migration as idempotency } from "./0008-idempotency.ts";
import { migration as resourceFiles } from "./0009-resource-files.ts";
import { migration as resourceSearch } from "./0010-resource-search.ts";
import { migration as blobRemovals } from "./0011-blob-removals.ts";
import { migration as resourceStatistics } from "./0012-resource-statistics.ts";
import { migration as resourceIndex } from "./0013-resource-index.ts";
import { migration as searchUpkeep } from "./0014-search-upkeep.ts";
import { migration as searchMerges } from "./0015-search-merges.ts";
import { migration as recordNumbers } from "./0016-record-numbers.ts";

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
