import { version } from "#lib/version.ts";
import { extractiveEngine } from "../domains/chat/extractive-answers.ts";
import { ChatService } from "../domains/chat/service.ts";
import { HealthService } from "../domains/health/service.ts";
import { ListCursors } from "../http/lists/cursors.ts";
import { ObjectTypeService } from "../domains/object-types/service.ts";
import { IndexMaintenance } from "../domains/records/indexes/index-maintenance.ts";
import { SearchWords } from "../domains/records/search/word-list.ts";
import { ResourceFiles } from "../domains/records/files/files.ts";
import { SlowFilters } from "../domains/records/read/slow-filters.ts";
import { ResourceService } from "../domains/records/service.ts";
import { StorageService } from "../domains/storage/service.ts";
import { Invitations } from "../domains/workspaces/invitations.ts";
import { MemberList } from "../domains/workspaces/members.ts";
import { WorkspaceService } from "../domains/workspaces/service.ts";
import type { PlatformBase } from "../domains/base.ts";
import type { AccountServices } from "./create-accounts.ts";
import { createDocuments } from "./create-documents.ts";

/** Builds every domain's service in the order of their dependencies, and recovers after a crash. */
export async function createServices(base: PlatformBase, accounts: AccountServices) {
  const { database, now, secrets, logger, lifetime } = base;
  const { access, identity, hasPasswords } = accounts;
  const { blobs, blobProvider, room } = base;
  const health = new HealthService({ database, blobs, blobProvider, room, version, now, logger });
  const workspaces = new WorkspaceService({ database, access, now });
  const invitations = new Invitations({ database, access, identity, now, hasPasswords });
  const members = new MemberList({ database, cursors: new ListCursors(secrets.for("members")) });
  const typeCursors = new ListCursors(secrets.for("object types"));
  const { unkeyedDatabase } = base;
  const words = new SearchWords(unkeyedDatabase);
  const indexes = new IndexMaintenance({ database: unkeyedDatabase, words, logger, now });
  const objectTypes = new ObjectTypeService({
    database,
    unkeyedDatabase,
    now,
    cursors: typeCursors,
    records: indexes,
    changes: base.changes.objectTypes,
  });
  lifetime.onClose(() => indexes.stop());
  const cursors = new ListCursors(secrets.for("resources"));
  const slowFilters = new SlowFilters({ thresholdMs: base.limits.slowFilterMs });
  const resources = new ResourceService({
    database,
    objectTypes,
    words,
    now,
    cursors,
    slowFilters,
    onFilesReleased: () => base.removals.wake(),
  });
  const files = new ResourceFiles(base, objectTypes);
  await base.removals.recover();
  const documents = await createDocuments(base, resources.lookup);
  const chat = new ChatService(base, { records: resources.lookup, engine: extractiveEngine });
  const storage = new StorageService(base, { objectTypes, indexes, slowFilters });
  lifetime.onClose(() => storage.stop());
  return {
    ...accounts,
    storage,
    health,
    workspaces,
    invitations,
    members,
    objectTypes,
    resources,
    files,
    documents,
    chat,
  };
}

/** The services that the handlers call. */
export type Services = Awaited<ReturnType<typeof createServices>>;
