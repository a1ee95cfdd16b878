import type {
  AnalyzerDefinition,
  AnalyzerRecord,
  DocumentTypeDefinition,
  DocumentTypeRecord,
} from "#contract/documents/document-types.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import { sameJson } from "#lib/json/same.ts";
import type { Reader } from "../../database/database.ts";
import type { ListCursors } from "../../kit/lists/cursors.ts";
import { ListPages } from "../../kit/lists/pages.ts";
import type { Models } from "../../models/models.ts";
import { requireMatch, type VersionMatch } from "../../work/caller.ts";
import type { Transaction, Work } from "../../work/work.ts";
import { lockWorkspace } from "../workspace-lock.ts";
import { runtimeSyncOf } from "./runtime-sync.ts";
import {
  configurationByKey,
  configurationPage,
  countConfigurations,
  deleteConfiguration,
  putConfiguration,
  type ConfigurationKey,
  type ConfigurationTable,
  type Definitions,
  type Stored,
} from "./store.ts";

export const configurationsAtMost = 500;

type PageQuery = Pick<ListQuery, "page" | "limit" | "cursor" | "count">;

const nouns = { analyzers: "analyzer", document_types: "document type" } as const;

/** Document types and analyzers of workspaces. */
export class DocumentTypeService {
  constructor(
    private readonly parts: {
      readonly cursors: ListCursors;
      readonly models: Models;
      readonly now: () => Date;
    },
  ) {}

  async list(
    { read }: Work,
    workspaceId: string,
    query: PageQuery,
  ): Promise<ListBody<DocumentTypeRecord>> {
    const { rows, body } = await this.#page(read, "document_types", workspaceId, query);
    const items = await Promise.all(rows.map((row) => this.#typeRecord(read, workspaceId, row)));
    return { ...body, items };
  }

  async get({ read }: Work, place: ConfigurationKey): Promise<DocumentTypeRecord> {
    const stored = await requireConfiguration(read, "document_types", place);
    return this.#typeRecord(read, place.workspaceId, stored);
  }

  async put(
    work: Work,
    place: ConfigurationKey,
    definition: DocumentTypeDefinition,
    ifMatch?: VersionMatch,
  ): Promise<DocumentTypeRecord> {
    const oid = work.scope.caller;
    return work.write(async (tx) => {
      const stored = await this.putWithin(tx, "document_types", oid, place, definition, ifMatch);
      return this.#typeRecord(tx, place.workspaceId, stored);
    });
  }

  async delete(work: Work, place: ConfigurationKey, ifMatch?: VersionMatch) {
    return deleted(work, "document_types", place, ifMatch);
  }

  async listAnalyzers(
    { read }: Work,
    workspaceId: string,
    query: PageQuery,
  ): Promise<ListBody<AnalyzerRecord>> {
    const { rows, body } = await this.#page(read, "analyzers", workspaceId, query);
    return { ...body, items: rows.map(recordOf) };
  }

  async getAnalyzer({ read }: Work, place: ConfigurationKey): Promise<AnalyzerRecord> {
    return recordOf(await requireConfiguration(read, "analyzers", place));
  }

  async putAnalyzer(
    work: Work,
    place: ConfigurationKey,
    definition: AnalyzerDefinition,
    ifMatch?: VersionMatch,
  ): Promise<AnalyzerRecord> {
    const oid = work.scope.caller;
    return work.write(async (tx) =>
      recordOf(await this.putWithin(tx, "analyzers", oid, place, definition, ifMatch)),
    );
  }

  async deleteAnalyzer(work: Work, place: ConfigurationKey, ifMatch?: VersionMatch) {
    const page = { rows: configurationsAtMost, offset: 0 };
    const types = await configurationPage(work.read, "document_types", place.workspaceId, page);
    const user = types.find(({ definition }) => definition.analyzer === place.key);
    if (user !== undefined) {
      throw new Refusal("conflict", {
        detail: `Cannot delete the analyzer ${place.key}: the document type ${user.key} uses it`,
      });
    }
    return deleted(work, "analyzers", place, ifMatch);
  }

  /**
   * Creates or replaces a definition in a transaction of the caller. The same definition again
   * makes no version.
   */
  async putWithin<Table extends ConfigurationTable>(
    tx: Transaction,
    table: Table,
    oid: string,
    place: ConfigurationKey,
    definition: Definitions[Table],
    ifMatch?: VersionMatch,
  ): Promise<Stored<Definitions[Table]>> {
    await lockWorkspace(tx, place.workspaceId);
    const present = await configurationByKey(tx, table, place);
    requireMatch(ifMatch, present?.version ?? 0);
    if (present !== undefined && sameJson(definition, present.definition)) return present;
    const count = await countConfigurations(tx, table, place.workspaceId);
    if (present === undefined && count >= configurationsAtMost) {
      throw new Refusal("conflict", {
        detail: `A workspace has at most ${configurationsAtMost} ${nouns[table]}s: delete one first`,
      });
    }
    const time = this.parts.now().toISOString();
    await putConfiguration(tx, table, place, definition, { oid, time });
    const stored = await configurationByKey(tx, table, place);
    if (stored === undefined) throw new Error(`a ${nouns[table]} was stored and not found`);
    return stored;
  }

  find<Table extends ConfigurationTable>(
    reader: Reader,
    table: Table,
    place: ConfigurationKey,
  ): Promise<Stored<Definitions[Table]> | undefined> {
    return configurationByKey(reader, table, place);
  }

  async #typeRecord(
    reader: Reader,
    workspaceId: string,
    stored: Stored<DocumentTypeDefinition>,
  ): Promise<DocumentTypeRecord> {
    const key = stored.definition.analyzer;
    const analyzer = await configurationByKey(reader, "analyzers", { workspaceId, key });
    const hasModel = this.parts.models.chat !== undefined;
    const runtime = runtimeSyncOf(stored.definition, analyzer?.definition, hasModel);
    return { ...recordOf(stored), runtime };
  }

  async #page<Table extends ConfigurationTable>(
    read: Reader,
    table: Table,
    workspaceId: string,
    query: PageQuery,
  ) {
    const pages = new ListPages(this.parts.cursors, [table, workspaceId]);
    const start = pages.start(query);
    const rows = await configurationPage(read, table, workspaceId, start);
    const total =
      query.count === true ? await countConfigurations(read, table, workspaceId) : undefined;
    const body = pages.envelope(start, { rows, total });
    return { rows: rows.slice(0, start.limit), body };
  }
}

async function deleted(
  work: Work,
  table: ConfigurationTable,
  place: ConfigurationKey,
  ifMatch: VersionMatch | undefined,
): Promise<{ key: string; removed: boolean }> {
  return work.write(async (tx) => {
    await lockWorkspace(tx, place.workspaceId);
    requireMatch(ifMatch, (await requireConfiguration(tx, table, place)).version);
    await deleteConfiguration(tx, table, place);
    return { key: place.key, removed: true };
  });
}

async function requireConfiguration<Table extends ConfigurationTable>(
  reader: Reader,
  table: Table,
  place: ConfigurationKey,
): Promise<Stored<Definitions[Table]>> {
  const found = await configurationByKey(reader, table, place);
  if (found !== undefined) return found;
  throw new Refusal("not-found", { detail: `This workspace has no ${nouns[table]} with this key` });
}

function recordOf<Definition extends object>({
  key,
  definition,
  version,
  createdAt,
  updatedAt,
}: Stored<Definition>) {
  return { key, ...definition, version, created_at: createdAt, updated_at: updatedAt };
}

const typesAtMost = 500;

/**
 * Why a workspace cannot describe documents with these labels: it needs an active document type
 * and the analyzer of that type, which are configured apart from the classifier.
 */
export async function schemaFault(
  reader: Reader,
  workspaceId: string,
  labels: ReadonlySet<string>,
): Promise<string | undefined> {
  const page = { rows: typesAtMost, offset: 0 };
  const types = await configurationPage(reader, "document_types", workspaceId, page);
  const fitting = types.filter(
    ({ definition }) => definition.status === "active" && labels.has(definition.label),
  );
  for (const { definition } of fitting) {
    const place = { workspaceId, key: definition.analyzer };
    if ((await configurationByKey(reader, "analyzers", place)) !== undefined) return undefined;
  }
  const [first] = fitting;
  return first === undefined
    ? "no active document type has a label of its classifier"
    : `the analyzer ${JSON.stringify(first.definition.analyzer)} of its document type ` +
        `${JSON.stringify(first.key)} does not exist`;
}
