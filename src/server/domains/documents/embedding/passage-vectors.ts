import { RecentMap } from "../../../kit/recent-map.ts";
import { ModelError } from "../../../models/model-error.ts";
import type { EmbeddingModel, Models } from "../../../models/models.ts";
import { quantized, strideOf } from "../../../text/vectors/quantize.ts";
import type { NearPassage } from "../../../text/vectors/vector-index.ts";
import type { VectorThread } from "../../../text/vectors/vector-worker.ts";
import type { Work } from "../../../work/work.ts";
import type { PlatformWork } from "../../../work/works.ts";
import { embeddingState, vectorsAfter, type EmbeddingState } from "../store/embeddings.ts";
import { keptPromise } from "../../../kit/background.ts";

/** The vectors of all workspaces together, such as 1.3 million of 384 numbers. */
const memoryBytes = 512 * 1024 * 1024;
const rowsAtATime = 2_000;
const loadLimitMs = 60_000;
/** A question is embedded, or the search goes on without vectors. */
const questionLimitMs = 3_000;
const knownQuestions = 500;

/** The vectors of a workspace that the thread has. */
interface Loaded {
  /** The name of its index in the thread. */
  readonly name: string;
  readonly model: string;
  readonly dimensions: number;
  revision: number;
  bytes: number;
  usedAtMs: number;
  loading: Promise<void> | undefined;
}

export interface NearRequest {
  readonly limit: number;
  /** The documents whose passages count; all by default. */
  readonly among?: ReadonlySet<string> | undefined;
  readonly signal: AbortSignal;
}

/**
 * The passages whose vectors are nearest to a question, by an exact scan in another thread. The
 * vectors of a workspace are read at its first search and follow the database's revision.
 */
export class PassageVectors {
  readonly #loaded = new Map<string, Loaded>();
  readonly #questions = new RecentMap<string, Float32Array>(knownQuestions);
  #thread: Promise<VectorThread> | undefined;
  #opened = 0;

  constructor(
    private readonly platformWork: PlatformWork,
    private readonly models: Pick<Models, "embedding">,
  ) {}

  get model(): EmbeddingModel | undefined {
    return this.models.embedding;
  }

  /** Best first; none without vectors of the model. Throws the `ModelError` of a failing model. */
  async nearest(
    { read }: Work,
    model: EmbeddingModel,
    workspaceId: string,
    question: string,
    { limit, among, signal }: NearRequest,
  ): Promise<readonly NearPassage[]> {
    const state = await embeddingState(read, workspaceId);
    if (state?.model !== model.name || state.dimensions === 0) return [];
    const [query, loaded] = await Promise.all([
      this.#embedded(model, question, signal),
      this.#follow(workspaceId, state),
    ]);
    const thread = await this.#thread;
    return thread?.search(loaded.name, quantized(query), limit, among) ?? [];
  }

  /** Forgets documents that no longer exist, which a search has found. */
  async forget(workspaceId: string, documentIds: readonly string[]): Promise<void> {
    const loaded = this.#loaded.get(workspaceId);
    if (loaded !== undefined) await (await this.#thread)?.forget(loaded.name, documentIds);
  }

  async close(): Promise<void> {
    await (await this.#thread)?.close();
  }

  async #embedded(
    model: EmbeddingModel,
    question: string,
    signal: AbortSignal,
  ): Promise<Float32Array> {
    const key = `${model.name}\n${question}`;
    const known = this.#questions.get(key);
    if (known !== undefined) return known;
    const limited = AbortSignal.any([signal, AbortSignal.timeout(questionLimitMs)]);
    try {
      const [vector = new Float32Array()] = await model.embed([question], { signal: limited });
      this.#questions.set(key, vector);
      return vector;
    } catch (error) {
      throw limited.aborted && !signal.aborted ? new ModelError("timed-out") : error;
    }
  }

  /** The index of the workspace with all vectors up to the state's revision. */
  async #follow(workspaceId: string, state: EmbeddingState): Promise<Loaded> {
    const thread = await (this.#thread ??= keptPromise(this.#openThread()));
    let loaded = this.#loaded.get(workspaceId);
    if (loaded?.model !== state.model || loaded.dimensions !== state.dimensions) {
      await this.#drop(thread, workspaceId);
      const { model, dimensions } = state;
      this.#opened += 1;
      const name = `${workspaceId}/${this.#opened}`;
      loaded = { name, model, dimensions, revision: 0, bytes: 0, usedAtMs: 0, loading: undefined };
      this.#loaded.set(workspaceId, loaded);
    }
    const current = loaded;
    current.usedAtMs = performance.now();
    while (current.revision < state.revision) {
      current.loading ??= keptPromise(
        this.#load(thread, workspaceId, current, state.revision).finally(() => {
          current.loading = undefined;
        }),
      );
      try {
        await current.loading;
      } catch (error) {
        // The next search starts again.
        if (this.#loaded.get(workspaceId) === current) this.#loaded.delete(workspaceId);
        throw error;
      }
    }
    return current;
  }

  async #load(
    thread: VectorThread,
    workspaceId: string,
    loaded: Loaded,
    upTo: number,
  ): Promise<void> {
    const { name, model, dimensions } = loaded;
    if (loaded.revision === 0) await thread.open(name, dimensions);
    const work = this.platformWork("vectors, which the searches of a workspace share");
    const limits = { timeLimitMs: loadLimitMs, share: workspaceId };
    const scan = work.within(workspaceId).scan.with(limits);
    for (;;) {
      const { revision } = loaded;
      const rows = await vectorsAfter(scan, { workspaceId, model }, revision, rowsAtATime);
      const isFull = rows.length === rowsAtATime;
      const last = rows.at(-1)?.revision ?? 0;
      // A full page may have only a part of its last write.
      const whole = isFull ? rows.filter((row) => row.revision < last) : rows;
      const bytes = whole.length * strideOf(dimensions);
      await this.#makeRoom(thread, workspaceId, bytes);
      await thread.put(name, whole);
      loaded.bytes += bytes;
      loaded.revision = isFull ? last - 1 : Math.max(last, upTo);
      if (!isFull) return;
    }
  }

  /** Drops the vectors of the workspaces that were searched the longest time ago. */
  async #makeRoom(thread: VectorThread, workspaceId: string, bytes: number): Promise<void> {
    const others = [...this.#loaded].filter(([id]) => id !== workspaceId);
    let over = bytes - memoryBytes;
    for (const each of this.#loaded.values()) over += each.bytes;
    for (const [id, each] of others.toSorted(([, a], [, b]) => a.usedAtMs - b.usedAtMs)) {
      if (over <= 0) return;
      over -= each.bytes;
      await this.#drop(thread, id);
    }
  }

  async #drop(thread: VectorThread, workspaceId: string): Promise<void> {
    const loaded = this.#loaded.get(workspaceId);
    if (loaded === undefined) return;
    this.#loaded.delete(workspaceId);
    await thread.drop(loaded.name);
  }

  async #openThread(): Promise<VectorThread> {
    // A module that is imported lazily becomes a separate file of the program.
    const { VectorThread: Thread } = await import("../../../text/vectors/vector-worker.ts");
    return new Thread(memoryBytes, () => this.#loaded.clear());
  }
}
