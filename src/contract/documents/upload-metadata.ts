/** Commands import this file at start-up, so it imports no schema library. */

export const processingModes = ["classification", "rag", "full", "store_only"] as const;
/** The processing of an upload: store, classify, index for answers, or all of it (spec 2.5). */
export type ProcessingMode = (typeof processingModes)[number];

/** The only accepted storage target (spec 2.5). */
export const storageTarget = "resourceapi";

/** Accepted metadata: plain strings without authority (spec 2.5). */
export const uploadMetadataNames = [
  "category",
  "source",
  "enrichment_level",
  "context_data",
  "tenant_slug",
  "council_name",
  "org_id",
  "document_id",
  "conversation_id",
  "workflow",
  "source_service",
  "correlation_id",
  "async_mode",
] as const;
