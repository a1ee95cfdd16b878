import type { Logger } from "../../platform/options.ts";
import type { Database, Reader } from "../../stores/database.ts";
import {
  passagesWithoutTerms,
  rewriteTerms,
  searchedDocuments,
} from "../../stores/documents/chunk-terms.ts";
import { passageTerms } from "../documents/terms.ts";
import type { Finding } from "./finding.ts";

const documentsAtATime = 100;
/** Passages in one write unit. */
const passagesAtATime = 50;

/** Makes search indexes again from the texts, one workspace's at most once at a time. */
export class SearchIndexes {
  readonly #database: Database;
  readonly #logger: Logger;
  readonly #running = new Map<string, Promise<void>>();
  #isStopped = false;

  constructor(options: { readonly database: Database; readonly logger: Logger }) {
    this.#database = options.database;
    this.#logger = options.logger;
  }

  /** Begins, unless it is under way; the promise is kept when it has ended, well or not. */
  rebuild(workspaceId: string): Promise<void> {
    const running = this.#running.get(workspaceId);
    if (running !== undefined) return running;
    const run = this.#rebuild(workspaceId)
      .catch((error: unknown) => {
        this.#logger.error({ event: "search-rebuild-failed", workspaceId, error: String(error) });
      })
      .finally(() => this.#running.delete(workspaceId));
    this.#running.set(workspaceId, run);
    return run;
  }

  /** Ends after the units that run. What is left is done when it is asked for again. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#running.values());
  }

  async #rebuild(workspaceId: string): Promise<void> {
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

/** Passages that no search can find. */
export async function checkSearch(reader: Reader, workspaceId: string): Promise<Finding[]> {
  const count = await passagesWithoutTerms(reader, workspaceId);
  if (count === 0) return [];
  return [
    {
      code: "search-out-of-step",
      backend: "search",
      severity: "error",
      workspaceId,
      count,
      examples: [],
      detail: "Passages of documents are not in the search index",
      mend: "Run `svc provision storage --backend search --rebuild-search`",
      fixable: false,
    },
  ];
}
