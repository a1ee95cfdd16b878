import type {
  AnalyzerDefinition,
  AnalyzerRecord,
  DocumentTypeDefinition,
  DocumentTypeRecord,
} from "#contract/document-types.ts";
import type { ListBody, ListQuery } from "#contract/lists.ts";
import { Refusal } from "#contract/problems.ts";
import type { Database, Reader, Writer } from "../../database/database.ts";
import { requireMatch, type Principal, type VersionMatch } from "../../http/handler.ts";
import type { ListCursors } from "../../http/lists/cursors.ts";
import { ListPages } from "../../http/lists/pages.ts";
import type { Models } from "../../models/models.ts";
import { lockWorkspace } from "../members/service.ts";
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

const configurationsAtMost = 500;

type Actor = Pick<Principal, "oid">;
type PageQuery = Pick<ListQuery, "page" | "limit" | "cursor" | "count">;

const nouns = { analyzers: "analyzer", document_types: "document type" } as const;

/** Document types and analyzers of workspaces. */
export class DocumentTypeService {
  readonly #database: Database;

  constructor(
    private readonly parts: {
      readonly database: Database;
      readonly cursors: ListCursors;
      readonly models: Models;
      readonly now: () => Date;
    },
  ) {
    this.#database = parts.database;
  }

  async list(workspaceId: string, query: PageQuery): Promise<ListBody<DocumentTypeRecord>> {
    const { rows, body } = await this.#page("document_types", workspaceId, query);
    const items = await Promise.all(rows.map((row) => this.#typeRecord(workspaceId, row)));
    return { ...body, items };
  }

  async get(place: ConfigurationKey): Promise<DocumentTypeRecord> {
    const stored = await this.#require("document_types", place);
    return this.#typeRecord(place.workspaceId, stored);
  }

  async put(
    actor: Actor,
    place: ConfigurationKey,
    definition: DocumentTypeDefinition,
    ifMatch?: VersionMatch,
  ): Promise<DocumentTypeRecord> {
    return this.#database.write(async (writer) => {
      const stored = await this.putWithin(
        writer,
        "document_types",
        actor,
        place,
        definition,
        ifMatch,
      );
      return this.#typeRecord(place.workspaceId, stored, writer);
    });
  }

  async delete(place: ConfigurationKey, ifMatch?: VersionMatch) {
    return this.#delete("document_types", place, ifMatch);
  }

  async listAnalyzers(workspaceId: string, query: PageQuery): Promise<ListBody<AnalyzerRecord>> {
    const { rows, body } = await this.#page("analyzers", workspaceId, query);
    return { ...body, items: rows.map(recordOf) };
  }

  async getAnalyzer(place: ConfigurationKey): Promise<AnalyzerRecord> {
    return recordOf(await this.#require("analyzers", place));
  }

  async putAnalyzer(
    actor: Actor,
    place: ConfigurationKey,
    definition: AnalyzerDefinition,
    ifMatch?: VersionMatch,
  ): Promise<AnalyzerRecord> {
    return this.#database.write(async (writer) =>
      recordOf(await this.putWithin(writer, "analyzers", actor, place, definition, ifMatch)),
    );
  }

  async deleteAnalyzer(place: ConfigurationKey, ifMatch?: VersionMatch) {
    const types = await configurationPage(
      this.#database.read,
      "document_types",
      place.workspaceId,
      {
        rows: configurationsAtMost,
        offset: 0,
      },
    );
    const user = types.find(({ definition }) => definition.analyzer === place.key);
    if (user !== undefined) {
      throw new Refusal("conflict", {
        detail: `Cannot delete the analyzer ${place.key}: the document type ${user.key} uses it`,
      });
    }
    return this.#delete("analyzers", place, ifMatch);
  }

  /** In a transaction of the caller. */
  async putWithin<Table extends ConfigurationTable>(
    writer: Writer,
    table: Table,
    { oid }: Actor,
    place: ConfigurationKey,
    definition: Definitions[Table],
    ifMatch?: VersionMatch,
  ): Promise<Stored<Definitions[Table]>> {
    await lockWorkspace(writer, place.workspaceId);
    const present = await configurationByKey(writer, table, place);
    requireMatch(ifMatch, present?.version ?? 0);
    const count = await countConfigurations(writer, table, place.workspaceId);
    if (present === undefined && count >= configurationsAtMost) {
      throw new Refusal("conflict", {
        detail: `A workspace has at most ${configurationsAtMost} ${nouns[table]}s: delete one first`,
      });
    }
    const time = this.parts.now().toISOString();
    await putConfiguration(writer, table, place, definition, { oid, time });
    const stored = await configurationByKey(writer, table, place);
    if (stored === undefined) throw new Error(`a ${nouns[table]} was stored and not found`);
    return stored;
  }

  async find<Table extends ConfigurationTable>(
    table: Table,
    place: ConfigurationKey,
    reader: Reader = this.#database.read,
  ): Promise<Stored<Definitions[Table]> | undefined> {
    return configurationByKey(reader, table, place);
  }

  async #typeRecord(
    workspaceId: string,
    stored: Stored<DocumentTypeDefinition>,
    reader: Reader = this.#database.read,
  ): Promise<DocumentTypeRecord> {
    const key = stored.definition.analyzer;
    const analyzer = await configurationByKey(reader, "analyzers", { workspaceId, key });
    const hasModel = this.parts.models.chat !== undefined;
    const runtime = runtimeSyncOf(stored.definition, analyzer?.definition, hasModel);
    return { ...recordOf(stored), runtime };
  }

  async #page<Table extends ConfigurationTable>(
    table: Table,
    workspaceId: string,
    query: PageQuery,
  ) {
    const { read } = this.#database;
    const pages = new ListPages(this.parts.cursors, [table, workspaceId]);
    const start = pages.start(query);
    const rows = await configurationPage(read, table, workspaceId, start);
    const total =
      query.count === true ? await countConfigurations(read, table, workspaceId) : undefined;
    const body = pages.envelope(start, { rows, total });
    return { rows: rows.slice(0, start.limit), body };
  }

  async #delete(table: ConfigurationTable, place: ConfigurationKey, ifMatch?: VersionMatch) {
    return this.#database.write(async (writer) => {
      await lockWorkspace(writer, place.workspaceId);
      requireMatch(ifMatch, (await this.#require(table, place, writer)).version);
      await deleteConfiguration(writer, table, place);
      return { key: place.key, removed: true };
    });
  }

  async #require<Table extends ConfigurationTable>(
    table: Table,
    place: ConfigurationKey,
    reader: Reader = this.#database.read,
  ): Promise<Stored<Definitions[Table]>> {
    const found = await configurationByKey(reader, table, place);
    if (found !== undefined) return found;
    throw new Refusal("not-found", {
      detail: `This workspace has no ${nouns[table]} with this key`,
    });
  }
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
