/** Names that the command layer needs as well: no schema library is imported here. */

/** The other accepted metadata: plain strings that grant no authority (spec 2.5). */
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
