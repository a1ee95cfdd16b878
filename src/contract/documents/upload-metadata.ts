/**
 * Accepted metadata besides context and keys: plain strings that grant no authority (spec 2.5).
 * Commands import this file at start-up, so it imports no schema library.
 */
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
