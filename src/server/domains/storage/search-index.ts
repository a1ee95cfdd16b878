import type { JsonObject } from "#contract/values.ts";
import {
  searchedProperties,
  searchEntry,
  type SearchedProperty,
} from "../../text/search/searched-texts.ts";
import type { Logger } from "../../kit/logger.ts";
import type { Database, Reader } from "../../database/database.ts";
import {
  passagesWithoutTerms,
  passageTerms,
  rewriteTerms,
  searchedDocuments,
} from "../documents/service.ts";
import type { StoredObjectType, ObjectTypeService } from "../object-types/service.ts";
import {
  countStrayEntries,
  entryChecksums,
  recordsByIds,
  type IndexMaintenance,
} from "../records/service.ts";
import { Tally, type Finding } from "./finding.ts";

const documentsAtATime = 100;
/** Passages in one write unit. */
const passagesAtATime = 50;

/** Makes search indexes again from the texts, one workspace's at most once at a time. */
export class SearchIndexes {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #objectTypes: Pick<ObjectTypeService, "all">;
  readonly #indexes: Pick<IndexMaintenance, "refillSearch">;
  readonly #running = new Map<string, Promise<void>>();
  #isStopped = false;

  constructor(
    options: { readonly database: Database; readonly logger: Logger },
    objectTypes: Pick<ObjectTypeService, "all">,
    indexes: Pick<IndexMaintenance, "refillSearch">,
  ) {
    this.#indexes = indexes;
    this.#database = options.database;
    this.#logger = options.logger;
    this.#objectTypes = objectTypes;
  }

  /**
   * Begins, unless it is under way, and resolves at its end. What fails is logged as well: who asked
   * may have gone.
   */
  rebuild(workspaceId: string): Promise<void> {
    const running = this.#running.get(workspaceId);
    if (running !== undefined) return running;
    const run = this.#rebuild(workspaceId).finally(() => this.#running.delete(workspaceId));
    this.#running.set(workspaceId, run);
    run.catch((error: unknown) => {
      if (this.#isStopped) return;
      this.#logger.error({ event: "search-rebuild-failed", workspaceId, error: String(error) });
    });
    return run;
  }

  /** Ends after the units that run. What is left is done when it is asked for again. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.allSettled(this.#running.values());
  }

  async #rebuild(workspaceId: string): Promise<void> {
    await this.#rebuildDocuments(workspaceId);
    for (const { stored } of await this.#objectTypes.all(workspaceId)) {
      await this.#indexes.refillSearch(stored, () => {
        if (this.#isStopped) throw new Error("the platform is closing");
      });
    }
  }

  async #rebuildDocuments(workspaceId: string): Promise<void> {
    let afterId = "";
    for (;;) {
      const documents = await searchedDocuments(
        this.#database.read,
        workspaceId,
        afterId,
        documentsAtATime,
      );
      for (const document of documents) {
        let last: number | undefined = -1;
        while (last !== undefined && !this.#isStopped) {
          const after: number = last;
          last = await this.#database.write((writer) =>
            rewriteTerms(writer, document, after, passagesAtATime, passageTerms),
          );
        }
        afterId = document.id;
      }
      if (this.#isStopped || documents.length < documentsAtATime) return;
    }
  }
}

const entriesAtATime = 200;

/** Holds a type's search entries to its records, which are given one after the other. */
export class EntryCheck {
  readonly #reader: Reader;
  readonly #type: StoredObjectType;
  readonly #searched: readonly SearchedProperty[];
  readonly #wanted = new Map<string, number | undefined>();
  readonly #tally = new Tally();

  constructor(reader: Reader, type: StoredObjectType) {
    this.#reader = reader;
    this.#type = type;
    this.#searched = searchedProperties(type.definition.properties);
  }

  async add(id: string, data: JsonObject): Promise<void> {
    // What is being filled is not complete, and so is no fault.
    if (this.#type.search_state !== "ready" || this.#searched.length === 0) return;
    const { terms, checksum } = searchEntry(this.#searched, data);
    this.#wanted.set(id, terms.length === 0 ? undefined : checksum);
    if (this.#wanted.size === entriesAtATime) await this.#compare();
  }

  async findings(): Promise<Finding[]> {
    await this.#compare();
    const { workspace_id: workspaceId, slug, number } = this.#type;
    const stray = await countStrayEntries(this.#reader, { workspaceId, number });
    const count = this.#tally.count + stray;
    if (count === 0) return [];
    const subject = slug;
    const detail = "Records are not in the search index as they are";
    return [{ ...outOfStep(workspaceId, count, detail), subject, examples: this.#tally.examples }];
  }

  async #compare(): Promise<void> {
    if (this.#wanted.size === 0) return;
    const { workspace_id: workspaceId, number } = this.#type;
    const ids = [...this.#wanted.keys()];
    const key = { workspaceId, number };
    const found = await entryChecksums(this.#reader, key, ids);
    const suspects = ids.filter((id) => found.get(id) !== this.#wanted.get(id));
    this.#wanted.clear();
    if (suspects.length === 0) return;
    // Whoever was written meanwhile is in step by now.
    const records = await recordsByIds(this.#reader, key, suspects);
    const again = await entryChecksums(this.#reader, key, suspects);
    for (const [id, { data }] of records) {
      const { terms, checksum } = searchEntry(this.#searched, JSON.parse(data) as JsonObject);
      if (again.get(id) !== (terms.length === 0 ? undefined : checksum)) this.#tally.add(id);
    }
  }
}

/** Passages that no search can find. */
export async function checkSearch(reader: Reader, workspaceId: string): Promise<Finding[]> {
  const count = await passagesWithoutTerms(reader, workspaceId);
  if (count === 0) return [];
  return [outOfStep(workspaceId, count, "Passages of documents are not in the search index")];
}

function outOfStep(workspaceId: string, count: number, detail: string): Finding {
  return {
    code: "search-out-of-step",
    backend: "search",
    severity: "error",
    workspaceId,
    count,
    examples: [],
    detail,
    mend: "Run `svc provision storage --backend search --rebuild-search`",
    fixable: false,
  };
}
