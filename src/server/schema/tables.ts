import type { Reader } from "../database/database.ts";
import { raw, type Dialect } from "../database/statement.ts";

const ofBoth = `
  alert_channels alert_rules alert_states alerts analyzers answer_events archive_ids audit_entries
  audit_heads audit_seals authorization_codes backups blob_removals change_batches chat_messages
  classifier_examples classifier_models classifiers conversations data_moves deleted_records
  device_codes document_chunks document_counters document_history document_pages document_reviews
  document_types documents embedding_states erasures external_sign_ins failed_sign_ins feed_epochs
  feed_floors geo_datasets geo_features geo_generations geo_imports geo_report_results geo_reports
  grants group_rule_exclusions group_rules idempotency_keys idp_apps invitations jobs marks
  members object_types passage_sources passage_vectors passkey_challenges purged_workspaces
  record_imports record_links recovery_codes refresh_tokens resource_counts resource_files
  resource_history resources role_definitions running_answers search_entries search_words
  second_factors secrets service_key_grants service_keys sessions shared_counts signing_keys
  source_numbers support_drafts svc_migrations understanding_operations users webhook_deliveries
  webhook_endpoints webhook_received webhook_sources workflow_requests workspace_archives
  workspace_purges workspace_quotas workspaces
`;
const ofOne = {
  sqlite: "feed_sizes geo_boxes record_boxes search_terms shared_numbers",
  postgresql: "id_shares record_places",
};

/** The names of the platform's tables, in the order of the alphabet. */
export function tablesOf(dialect: Dialect): readonly string[] {
  return `${ofBoth} ${ofOne[dialect]}`.trim().split(/\s+/).toSorted();
}

/** True for a table that no extension of PostgreSQL, such as PostGIS, has made. */
export const isOfNoExtension = (oid: string): string =>
  `not exists (select 1 from pg_depend where classid = 'pg_class'::regclass and objid = ${oid}
    and deptype = 'e')`;

/** The platform's tables that the database lacks, or that its `search_path` does not show. */
export async function lostTables(read: Reader): Promise<string[]> {
  const rows = await read.all<{ name: string }>(raw(present[read.dialect]));
  const names = new Set(rows.map(({ name }) => name));
  return tablesOf(read.dialect).filter((name) => !names.has(name));
}

const present = {
  sqlite: "select name from pragma_table_list where schema = 'main'",
  postgresql: `select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`,
};
