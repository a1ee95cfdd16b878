import type { PlatformBase } from "../base.ts";
import { keptPromise } from "../../kit/background.ts";
import { noteRewritten, outdatedPassages } from "../../search-index/sources.ts";
import type { SearchWords } from "../../search-index/word-list.ts";
import type { Work } from "../../work/work.ts";
import { rewriteTerms, searchedDocuments } from "./store/reindex-passages.ts";

const lookMs = 10_000;
const documentsAtATime = 20;
/** Passages of one transaction: other writes wait for about 5 ms. */
const passagesAtATime = 10;

/**
 * Writes search entries of an earlier build again, in the background and in small transactions. A
 * search finds them meanwhile by their former terms. After a restart the work goes on where it was.
 */
export class RewrittenEntries {
  readonly #work: Work;
  #running: Promise<void> | undefined;

  constructor(
    private readonly base: Pick<PlatformBase, "platformWork" | "lifetime">,
    private readonly words: Pick<SearchWords, "note">,
  ) {
    this.#work = base.platformWork("search entries of an earlier build, in all workspaces");
  }

  /** Looks for such entries until the platform stops. */
  start(): void {
    const { lifetime } = this.base;
    lifetime.every(lookMs, "search-entries-not-rewritten", () => this.rewriteAll());
    const stopped = async (): Promise<void> => this.#running?.catch(() => {});
    lifetime.onDrain(stopped);
    lifetime.onClose(stopped);
  }

  /** Resolves when no entries of an earlier build are left, or the platform drains. */
  rewriteAll(): Promise<void> {
    this.#running ??= keptPromise(
      this.#rewriteAll().finally(() => {
        this.#running = undefined;
      }),
    );
    return this.#running;
  }

  async #rewriteAll(): Promise<void> {
    const { draining } = this.base.lifetime;
    while (!draining.aborted) {
      const next = await outdatedPassages(this.#work.read);
      if (next === undefined) return;
      await this.#rewriteSome(next.workspaceId, next.rewrittenTo);
    }
  }

  async #rewriteSome(workspaceId: string, after: string): Promise<void> {
    const { draining } = this.base.lifetime;
    const work = this.#work.within(workspaceId);
    const documents = await searchedDocuments(work.read, workspaceId, after, documentsAtATime);
    for (const document of documents) {
      for (let last: number | undefined = -1; last !== undefined;) {
        if (draining.aborted) return;
        const from: number = last;
        const written = await work.write((tx) => rewriteTerms(tx, document, from, passagesAtATime));
        await this.words.note(workspaceId, written.entries);
        ({ last } = written);
      }
    }
    const isEnd = documents.length < documentsAtATime;
    const reached = isEnd ? undefined : documents.at(-1)?.id;
    await work.write((tx) => noteRewritten(tx, workspaceId, reached));
  }
}
