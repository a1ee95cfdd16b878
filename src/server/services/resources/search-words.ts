import { KeyedLock } from "#lib/keyed-lock.ts";
import { triplesOf } from "../../engines/search/likeness.ts";
import type { SearchEntry } from "../../engines/search/searched-texts.ts";
import { isSpelt } from "../../engines/search/words.ts";
import type { Database } from "../../stores/database.ts";
import { addWords, presentWords } from "../../stores/resources/search-words.ts";

/** Words that are remembered as stored; beyond it all are forgotten, and asked for again. */
const knownAtMost = 100_000;
const wordsAtATime = 500;

/**
 * The words of each workspace's records, by which a misspelt one is understood. They are stored
 * before the records that hold them: a word without a record does no harm, and hardly any write
 * brings a new one. So their unit takes no request's key with it: the request may still be refused.
 */
export class SearchWords {
  readonly #database: Database;
  /** By workspace. */
  readonly #known = new Map<string, Set<string>>();
  #knownCount = 0;
  readonly #adding = new KeyedLock();
  /** By workspace: what is stored next, and when. */
  readonly #next = new Map<
    string,
    { readonly words: Set<string>; readonly stored: Promise<void> }
  >();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Stores what is not known yet; at once when there is nothing new. */
  note(
    workspaceId: string,
    entries: readonly (SearchEntry | undefined)[],
  ): Promise<void> | undefined {
    const known = this.#known.get(workspaceId);
    const added = new Set<string>();
    for (const entry of entries) {
      for (const term of entry?.terms ?? []) {
        if (known?.has(term) !== true && isSpelt(term)) added.add(term);
      }
    }
    return added.size === 0 ? undefined : this.#add(workspaceId, [...added]);
  }

  /**
   * One after the other in a workspace: on PostgreSQL one of two that add the same words would have
   * to begin again, and the first records of a bulk all bring the same. What comes while words are
   * stored is stored together, so that nobody waits for more than two writes.
   */
  #add(workspaceId: string, words: readonly string[]): Promise<void> {
    let next = this.#next.get(workspaceId);
    if (next === undefined) {
      const all = new Set<string>();
      const stored = this.#adding.run(workspaceId, async () => {
        this.#next.delete(workspaceId);
        await this.#store(workspaceId, all);
      });
      next = { words: all, stored };
      this.#next.set(workspaceId, next);
    }
    for (const word of words) next.words.add(word);
    return next.stored;
  }

  async #store(workspaceId: string, words: ReadonlySet<string>): Promise<void> {
    const known = this.#known.get(workspaceId);
    const unknown = [...words].filter((word) => known?.has(word) !== true);
    for (let at = 0; at < unknown.length; at += wordsAtATime) {
      const some = unknown
        .slice(at, at + wordsAtATime)
        .map((word) => ({ word, length: word.length, triples: triplesOf(word) }));
      // After a start nearly all are there already: to read that is less than to write them again.
      const present = await presentWords(this.#database.read, workspaceId, some);
      const missing = some.filter(({ word }) => !present.has(word));
      if (missing.length > 0) {
        await this.#database.write((writer) => addWords(writer, workspaceId, missing));
      }
      this.#remember(
        workspaceId,
        some.map(({ word }) => word),
      );
    }
  }

  #remember(workspaceId: string, words: readonly string[]): void {
    if (this.#knownCount + words.length > knownAtMost) {
      this.#known.clear();
      this.#knownCount = 0;
    }
    const known = this.#known.get(workspaceId) ?? new Set<string>();
    this.#known.set(workspaceId, known);
    const before = known.size;
    for (const word of words) known.add(word);
    this.#knownCount += known.size - before;
  }
}
