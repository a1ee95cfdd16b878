import { KeyedLock } from "../kit/turns/keyed-lock.ts";
import type { NotedWords } from "../text/search/searched-texts.ts";
import { isSpelt } from "../text/terms/terms.ts";
import type { Work } from "../work/work.ts";
import type { PlatformWork } from "../work/works.ts";
import { addWords, languageMark, presentWords, removeUnusedWords, storedWord } from "./words.ts";
import { keptPromise } from "../kit/background.ts";

const wordsAtATime = 500;
/** One query looks for all of them in all sources of the workspace. */
const erasedAtATime = 50;

/**
 * The words of each workspace's records and documents, which correct misspelt queries, and their
 * languages. They are stored before the text and not as the request's effect: a word without a text
 * does no harm, and few writes bring a new one.
 */
export class SearchWords {
  readonly #work: Work;
  readonly #known: KnownWords;
  readonly #adding = new KeyedLock();
  /** The words of the next write by workspace, and its end. */
  readonly #next = new Map<
    string,
    { readonly words: Set<string>; readonly stored: Promise<void> }
  >();

  /** `knownAtMost`: words of all workspaces that are remembered as stored. */
  constructor(platformWork: PlatformWork, { knownAtMost = 100_000 } = {}) {
    this.#work = platformWork("words of records and documents");
    this.#known = new KnownWords(knownAtMost);
  }

  /** Stores unknown words; undefined when there are none. */
  note(
    workspaceId: string,
    entries: readonly (NotedWords | undefined)[],
  ): Promise<void> | undefined {
    const added = new Set<string>();
    for (const { words, languages } of entries.filter((entry) => entry !== undefined)) {
      for (const word of words) if (!this.#known.has(workspaceId, word)) added.add(word);
      for (const mark of languages.map(languageMark)) {
        if (!this.#known.has(workspaceId, mark)) added.add(mark);
      }
    }
    return added.size === 0 ? undefined : this.#add(workspaceId, [...added]);
  }

  /** Removes those of the words that no text of the workspace has any longer. */
  async removeUnused(workspaceId: string, words: ReadonlySet<string>): Promise<void> {
    const work = this.#work.within(workspaceId);
    const spelt = [...words].filter(isSpelt);
    await this.#adding.run(workspaceId, async () => {
      for (let at = 0; at < spelt.length; at += erasedAtATime) {
        const some = spelt.slice(at, at + erasedAtATime);
        await work.write((tx) => removeUnusedWords(tx, workspaceId, some));
      }
    });
    this.#known.forgetWorkspace(workspaceId);
  }

  /** Forgets the words of a workspace that no longer exists. */
  forgetWorkspace(workspaceId: string): void {
    this.#known.forgetWorkspace(workspaceId);
  }

  /**
   * One write at a time in a workspace, since concurrent writes of the same words make PostgreSQL
   * restart one. Words that arrive during a write share the next one.
   */
  #add(workspaceId: string, words: readonly string[]): Promise<void> {
    let next = this.#next.get(workspaceId);
    if (next === undefined) {
      const all = new Set<string>();
      const stored = this.#adding.run(workspaceId, async () => {
        this.#next.delete(workspaceId);
        await this.#store(workspaceId, all);
      });
      next = { words: all, stored: keptPromise(stored) };
      this.#next.set(workspaceId, next);
    }
    for (const word of words) next.words.add(word);
    return next.stored;
  }

  async #store(workspaceId: string, words: ReadonlySet<string>): Promise<void> {
    const work = this.#work.within(workspaceId);
    const unknown = [...words].filter((word) => !this.#known.has(workspaceId, word));
    for (let at = 0; at < unknown.length; at += wordsAtATime) {
      const batch = unknown.slice(at, at + wordsAtATime).map(storedWord);
      // After a start nearly all words exist, and reading is cheaper than writing them again.
      const present = await presentWords(work.read, workspaceId, batch);
      const missing = batch.filter(({ word }) => !present.has(word));
      if (missing.length > 0) {
        await work.write((tx) => addWords(tx, workspaceId, missing));
      }
      for (const { word } of batch) this.#known.add(workspaceId, word);
    }
  }
}

/** A `RecentMap` by workspace: joining both names for each word would cost too much. */
class KnownWords {
  readonly #generationSize: number;
  #current = new Map<string, Set<string>>();
  #currentCount = 0;
  #before = new Map<string, Set<string>>();

  constructor(limit: number) {
    this.#generationSize = limit / 2;
  }

  has(workspaceId: string, word: string): boolean {
    if (this.#current.get(workspaceId)?.has(word) === true) return true;
    if (this.#before.get(workspaceId)?.has(word) !== true) return false;
    this.add(workspaceId, word);
    return true;
  }

  forgetWorkspace(workspaceId: string): void {
    this.#currentCount -= this.#current.get(workspaceId)?.size ?? 0;
    this.#current.delete(workspaceId);
    this.#before.delete(workspaceId);
  }

  add(workspaceId: string, word: string): void {
    let words = this.#current.get(workspaceId);
    if (words === undefined) this.#current.set(workspaceId, (words = new Set()));
    const { size } = words;
    words.add(word);
    this.#currentCount += words.size - size;
    if (this.#currentCount < this.#generationSize) return;
    this.#before = this.#current;
    this.#current = new Map();
    this.#currentCount = 0;
  }
}
