/**
 * The v4 client as a library.
 *
 * ```ts
 * import { createClient } from "@svc-platform/client";
 *
 * const client = createClient({ baseUrl: "http://127.0.0.1:4400", token, tenantId });
 * const applications = client.useResources("planning-application");
 * const open = await applications.list({ where: { status: "open" } });
 * ```
 *
 * `useResources`, `useDocuments` and `useChat` cover common tasks; `client.<domain>.<route>(input)`
 * calls any route of the interface, and `client.request` any path. Failures throw a `CatalogError`.
 */
export { createClient } from "./client.ts";
export { errorFromResponse, PlatformError } from "./failures.ts";
export {
  exportObjectTypes,
  type ExportLimits,
  type ExportOptions,
} from "./records/object-types-export.ts";
export { defineObjectTypes } from "./records/typed-records.ts";
export { CatalogError, type ErrorCode } from "#contract/errors.ts";

export type { ContractCalls, RouteCall } from "./calls.ts";
export type { FetchFunction } from "#lib/network/fetch-function.ts";
export type {
  ByteSource,
  CallOptions,
  ClientOptions,
  DeprecationNotice,
  FixedListOptions,
  ListOptions,
  NamedFile,
  PageOptions,
  ProgressListener,
  RequestTrace,
  RetryPolicy,
  TokenSource,
  UnsizedSource,
  UploadFile,
  VersionOptions,
} from "./options.ts";
export type { CloudEvent } from "#contract/platform/realtime.ts";
export type { WatchOptions } from "./watch/watch.ts";
export type { Client, RequestOptions } from "./surface.ts";
export type { Chat, ChatOptions, ChatStream } from "./chat/chat.ts";
export type { ChatFinish, ChatSource, ChatStreamEvent } from "./chat/dialects.ts";
export type { ReviewListOptions, ReviewOptions } from "./documents/inputs.ts";
export type { Documents } from "./documents/documents.ts";
export type { FileSource, FileUploadOptions } from "./files/files.ts";
export type { WaitOptions, WaitOutcome } from "./documents/job-wait.ts";
export type { BatchItem, BatchOptions, PatchOf } from "./records/batches.ts";
export type { PlaceOptions, PlaceQuery } from "./geo/places.ts";
export type { ReportFileOptions, ReportForm } from "./geo/reports.ts";
export type { Resources, ResourcesOf, SearchOptions } from "./records/resources.ts";
export type { StoredContent } from "./files/content.ts";
export type { DocumentFile, UploadMetadata, UploadOptions, UploadOutcome } from "./files/upload.ts";

export type {
  GeoPoint,
  Geometry,
  NewRecordData,
  ObjectTypeSource,
  RecordData,
  TypedRecord,
  TypeSource,
  TypeSources,
} from "./records/typed-records.ts";

export type {
  ChatMessage,
  ChatReply,
  ChatRequest,
  Citation,
  Conversation,
} from "#contract/documents/chat.ts";
export type {
  DocumentJob,
  JobStage,
  JobStatus,
  StageName,
  StageStatus,
} from "#contract/documents/jobs.ts";
export type {
  DeletionReceipt,
  DocumentPage,
  DocumentRecord,
  DocumentTable,
} from "#contract/documents/records.ts";
export type { DocumentSearchAnswer, PassageResult } from "#contract/documents/search.ts";
export type { UploadAccepted } from "#contract/documents/upload.ts";
export type { ProcessingMode } from "#contract/documents/upload-metadata.ts";
export type { Health } from "#contract/platform/health.ts";
export type { Identity, Membership } from "#contract/access/identity.ts";
export { memberships, type MembershipOptions } from "./memberships.ts";
export type { DocumentReview, ReviewDecision } from "#contract/documents/reviews.ts";
export type { ListBody } from "#contract/lists.ts";
export type { ObjectType } from "#contract/object-types/object-types.ts";
export type { PropertyDefinition, PropertyType } from "#contract/object-types/properties.ts";
export type { Fault, Problem } from "#contract/problems.ts";
export type { Resource } from "#contract/resources/record.ts";
export type { StorageDiagnosis, StorageStatus } from "#contract/workspaces/storage.ts";
export type { AggregateAnswer, AggregateInput } from "#contract/resources/reads/aggregate.ts";
export type { BatchAnswer, BatchResult, BatchUpdateItem } from "#contract/resources/batch.ts";
export type { CapabilityDecision, CapabilityEntry } from "#contract/access/capabilities.ts";
export type { AuditEntry, AuditHead } from "#contract/workspaces/audit.ts";
export type { Invitation, Invited, Member, RoleDefinition } from "#contract/access/members.ts";
export type { FileLink, FileValue, UploadedFile } from "#contract/resources/files.ts";
export type { HistoryItem } from "#contract/resources/reads/history.ts";
export type {
  ResourceSearchInput,
  SearchAnswer,
  SearchHighlight,
  SearchResult,
} from "#contract/resources/reads/search.ts";
export type { LocationMatch } from "#contract/resources/geo.ts";
export type { SearchMode } from "#contract/resources/reads/search-modes.ts";
export type { Role } from "#contract/access/roles.ts";
export type { JsonObject } from "#contract/values.ts";
export type { Workspace } from "#contract/workspaces/workspaces.ts";
