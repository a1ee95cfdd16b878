import type { ChatTables } from "./tables/chat.ts";
import type { DocumentTables } from "./tables/documents.ts";
import type { IdempotencyTables } from "./tables/idempotency.ts";
import type { IdentityTables } from "./tables/identity.ts";
import type { JobTables } from "./tables/jobs.ts";
import type { ObjectTypeTables } from "./tables/object-types.ts";
import type { ResourceFileTables } from "./tables/resource-files.ts";
import type { ResourceTables } from "./tables/resources.ts";
import type { WorkspaceTables } from "./tables/workspaces.ts";

/**
 * Every table of the platform, one file a domain. Row types are the same on both engines: ids are
 * text (UUIDv7), times are text (RFC 3339, UTC, milliseconds), flags are 0 or 1, JSON is written
 * with `jsonValue` and read as text with `jsonText`. The workspace stands first in every key.
 */
export interface Tables
  extends
    IdentityTables,
    WorkspaceTables,
    ObjectTypeTables,
    ResourceTables,
    ResourceFileTables,
    DocumentTables,
    JobTables,
    ChatTables,
    IdempotencyTables {}
