import type { Logger } from "../../kit/logger.ts";
import type { Database } from "../../database/database.ts";
import {
  forgetDimensions,
  removeVectors,
  rewriteTerms,
  searchedDocuments,
} from "../documents/service.ts";
import type { ObjectTypeService } from "../object-types/service.ts";
import type { IndexMaintenance } from "../records/service.ts";

const documentsAtATime = 100;
const passagesAtATime = 50;
const vectorsAtATime = 500;

/** Rebuilds the search index of a workspace from its texts, once at a time. */
export class SearchRebuild {
  readonly #running = new Map<string, Promise<void>>();
  #isStopped = false;

  constructor(
    private readonly options: { readonly database: Database; readonly logger: Logger },
    private readonly objectTypes: Pick<ObjectTypeService, "all">,
    private readonly indexes: Pick<IndexMaintenance, "refillSearch">,
  ) {}

  /** Resolves at the end of the rebuild. Failures are also logged: the caller may not wait. */
  rebuild(workspaceId: string): Promise<void> {
    const running = this.#running.get(workspaceId);
    if (running !== undefined) return running;
    const run = this.#rebuild(workspaceId).finally(() => this.#running.delete(workspaceId));
    this.#running.set(workspaceId, run);
    run.catch((error: unknown) => {
      if (this.#isStopped) return;
      this.options.logger.error({
        event: "search-rebuild-failed",
        workspaceId,
        error: String(error),
      });
    });
    return run;
  }

  /** Stops after the current transactions. The next rebuild starts from the beginning. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.allSettled(this.#running.values());
  }

  async #rebuild(workspaceId: string): Promise<void> {
    await this.#rebuildDocuments(workspaceId);
    for (const { stored } of await this.objectTypes.all(workspaceId)) {
      await this.indexes.refillSearch(stored, () => {
        if (this.#isStopped) throw new Error("the platform is closing");
      });
    }
  }

  async #rebuildDocuments(workspaceId: string): Promise<void> {
    const { database } = this.options;
    await database.write((writer) => forgetDimensions(writer, workspaceId));
    let afterId = "";
    for (;;) {
      const documents = await searchedDocuments(
        database.read,
        workspaceId,
        afterId,
        documentsAtATime,
      );
      for (const document of documents) {
        let removed = vectorsAtATime;
        while (removed === vectorsAtATime && !this.#isStopped) {
          removed = await database.write((writer) =>
            removeVectors(writer, document, vectorsAtATime),
          );
        }
        let last: number | undefined = -1;
        while (last !== undefined && !this.#isStopped) {
          const after: number = last;
          last = await database.write((writer) =>
            rewriteTerms(writer, document, after, passagesAtATime),
          );
        }
        afterId = document.id;
      }
      if (this.#isStopped || documents.length < documentsAtATime) return;
    }
  }
}
