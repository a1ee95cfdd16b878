import type { Logger } from "../../kit/logger.ts";
import type { Work } from "../../work/work.ts";
import { rebuildSearchIndex } from "../documents/service.ts";
import type { ObjectTypeService } from "../object-types/service.ts";
import type { IndexMaintenance } from "../records/service.ts";
import { keptPromise } from "../../kit/background.ts";

/** Rebuilds the search index of a workspace from its texts, once at a time. */
export class SearchRebuild {
  readonly #running = new Map<string, Promise<void>>();
  #isStopped = false;

  constructor(
    private readonly options: { readonly logger: Logger },
    private readonly objectTypes: Pick<ObjectTypeService, "all">,
    private readonly indexes: Pick<IndexMaintenance, "refillSearch">,
  ) {}

  /** Resolves at the end of the rebuild. Failures are also logged: the caller may not wait. */
  rebuild(work: Work, workspaceId: string): Promise<void> {
    const running = this.#running.get(workspaceId);
    if (running !== undefined) return running;
    const run = this.#rebuild(work, workspaceId).finally(() => this.#running.delete(workspaceId));
    this.#running.set(workspaceId, keptPromise(run));
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

  async #rebuild(work: Work, workspaceId: string): Promise<void> {
    await rebuildSearchIndex(work, workspaceId, () => this.#isStopped);
    for (const { stored } of await this.objectTypes.all(work, workspaceId)) {
      await this.indexes.refillSearch(stored, () => {
        if (this.#isStopped) throw new Error("the platform is closing");
      });
    }
  }
}
