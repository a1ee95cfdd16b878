/** Accepted metadata: plain strings without authority (spec 2.5). Imports no schema library. */
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
