import { counted } from "#lib/text/counted.ts";
import { given } from "#lib/given.ts";
import type { PlatformBase } from "../../base.ts";
import { ModelError } from "../../../models/model-error.ts";
import type { EmbeddingModel } from "../../../models/models.ts";
import type { Work } from "../../../work/work.ts";
import { bytesOfVector } from "../../../text/vectors/quantize.ts";
import {
  countEmbedded,
  documentsToEmbed,
  embeddingState,
  leaseEmbedding,
  passagesToEmbed,
  releaseEmbeddings,
  storeVectors,
  workspaceToEmbed,
  type UnembeddedPassage,
  type VectorRow,
} from "../store/embeddings.ts";
import { keptPromise } from "../../../kit/background.ts";

/** Passages of one request, and of one transaction. */
const passagesAtATime = 64;
/** Documents that are looked at together; most have fewer passages than a request. */
const documentsAtATime = 64;
/** Another platform on the same database takes over so long after this one ended. */
const leaseMs = 3 * 60_000;
const lookMs = 2_000;
const firstWaitMs = 5_000;
const longestWaitMs = 5 * 60_000;

export type EmbeddingProgress = {
  readonly model: string;
  /** Numbers of each vector; 0 before the first one. */
  readonly dimensions: number;
  readonly documents: number;
  readonly embedded: number;
  readonly state: "ready" | "running" | "waiting";
  /** The reason why the work waits. */
  readonly error?: string;
};

/**
 * Embeds the passages of indexed documents in the background, a request after the other, and all
 * of them again when the configured model changes. Each answer is stored at once, so that nothing
 * is lost by a crash. While the endpoint fails it waits, from 5 s up to 5 minutes.
 */
export class EmbeddingWork {
  readonly #everywhere: Work;
  /** One platform at a time has a SQLite file. */
  readonly #owner: string;
  #running: Promise<void> | undefined;
  #lastWorkspace = "";
  #failures = 0;
  #waitsUntilMs = 0;
  #error: string | undefined;

  constructor(
    private readonly base: Pick<
      PlatformBase,
      "platformWork" | "models" | "now" | "lifetime" | "logger"
    >,
    /** The wait after the first failure; each further one is twice as long. */
    private readonly waitMs = firstWaitMs,
  ) {
    this.#everywhere = base.platformWork("passages to embed, in all workspaces");
    const { dialect } = this.#everywhere.read;
    this.#owner = dialect === "sqlite" ? "sqlite" : Bun.randomUUIDv7();
  }

  /** Looks for passages until the platform stops; without a model there is nothing to do. */
  start(): void {
    const { lifetime, models } = this.base;
    const model = models.embedding;
    if (model === undefined) return;
    lifetime.every(lookMs, "embedding-failed", () => this.work(model));
    lifetime.onDrain(() => this.stop());
    lifetime.onClose(() => this.stop());
  }

  /** Waits for the work to end, and lets another platform on the database take it over. */
  async stop(): Promise<void> {
    await this.#running?.catch(() => {});
    if (this.#lastWorkspace === "") return;
    this.#lastWorkspace = "";
    await this.#everywhere.write((tx) => releaseEmbeddings(tx, this.#owner));
  }

  /** Embeds all that waits, unless the endpoint failed a moment ago. */
  work(model: EmbeddingModel): Promise<void> {
    this.#running ??= keptPromise(
      this.#work(model).finally(() => {
        this.#running = undefined;
      }),
    );
    return this.#running;
  }

  /** The state of a workspace; undefined without a model. */
  async progress(workspaceId: string): Promise<EmbeddingProgress | undefined> {
    const name = this.base.models.embedding?.name;
    if (name === undefined) return undefined;
    const { read, scan } = this.#everywhere.within(workspaceId);
    const state = await embeddingState(read, workspaceId);
    const counts = await countEmbedded(scan.with({ share: workspaceId }), workspaceId, name);
    const isDone = counts.embedded >= counts.documents;
    const error = this.#error;
    return {
      model: name,
      dimensions: state?.model === name ? state.dimensions : 0,
      ...counts,
      state: isDone ? "ready" : error === undefined ? "running" : "waiting",
      ...given({ error: isDone ? undefined : error }),
    };
  }

  async #work(model: EmbeddingModel): Promise<void> {
    const { draining } = this.base.lifetime;
    while (!draining.aborted && performance.now() >= this.#waitsUntilMs) {
      try {
        if (!(await this.#step(model, draining))) return;
        this.#failures = 0;
        this.#error = undefined;
      } catch (error) {
        if (draining.aborted) return;
        if (!(error instanceof ModelError)) throw error;
        return this.#wait(error);
      }
    }
  }

  #wait(error: ModelError): void {
    const growing = this.waitMs * 2 ** Math.min(this.#failures, 10);
    const ms = Math.min(longestWaitMs, Math.max(growing, error.retryAfterMs ?? 0));
    this.#failures += 1;
    this.#waitsUntilMs = performance.now() + ms;
    if (this.#error === error.message) return;
    this.#error = error.message;
    this.base.logger.warn({ event: "embedding-waits", error: error.message, waitMs: ms });
  }

  /** One request for one workspace; false when nothing is left to do. */
  async #step(model: EmbeddingModel, signal: AbortSignal): Promise<boolean> {
    const { read } = this.#everywhere;
    const workspaceId = await workspaceToEmbed(read, model.name, this.#lastWorkspace);
    if (workspaceId === undefined) return false;
    this.#lastWorkspace = workspaceId;
    const work = this.#everywhere.within(workspaceId);
    const time = this.base.now();
    const lease = { owner: this.#owner, now: time, until: new Date(time.getTime() + leaseMs) };
    const isOurs = await work.write((tx) => leaseEmbedding(tx, workspaceId, lease));
    // Another platform embeds them; the next look may find other workspaces.
    if (!isOurs) return false;
    const scan = work.scan.with({ signal, share: workspaceId });
    const documents = await documentsToEmbed(scan, workspaceId, model.name, documentsAtATime);
    const passages = await passagesToEmbed(
      scan,
      { workspaceId, model: model.name },
      documents.map(({ id }) => id),
      passagesAtATime,
    );
    const rows = await embedded(model, passages, signal);
    const dimensions = rows.find(({ dimensions: size }) => size > 0)?.dimensions ?? 0;
    const state = await embeddingState(work.read, workspaceId);
    const known = state?.model === model.name ? state.dimensions : 0;
    if (known > 0 && dimensions > 0 && known !== dimensions) throw otherSize(known, dimensions);
    const vectors = { workspaceId, model: model.name, dimensions, documents, rows };
    await work.write((tx) => storeVectors(tx, vectors));
    return true;
  }
}

function otherSize(known: number, given: number): ModelError {
  const detail =
    `its vectors have ${counted(given, "number")} instead of ${known}: ` +
    "after a change of the model, rebuild the search index";
  return new ModelError("malformed", { detail });
}

/** The text that the model reads. Name and heading give a passage its subject. */
function textOf({ filename, title, headings, text }: UnembeddedPassage): string {
  const name = title ?? filename.replace(/\.\w{1,5}$/, "");
  return [name, headings, text].filter((part) => part !== "").join("\n");
}

type Embedded = VectorRow & { readonly dimensions: number };

/** The vectors of passages. One that the model refuses alone has none, and is not asked again. */
async function embedded(
  model: EmbeddingModel,
  passages: readonly UnembeddedPassage[],
  signal: AbortSignal,
): Promise<Embedded[]> {
  if (passages.length === 0) return [];
  try {
    const vectors = await model.embed(passages.map(textOf), { signal });
    return passages.map(({ documentId, ordinal }, index) => {
      const vector = vectors[index] ?? new Float32Array();
      return { documentId, ordinal, bytes: bytesOfVector(vector), dimensions: vector.length };
    });
  } catch (error) {
    if (!(error instanceof ModelError) || error.failure !== "refused") throw error;
    const [first] = passages;
    if (passages.length > 1 || first === undefined) {
      const half = Math.ceil(passages.length / 2);
      const left = await embedded(model, passages.slice(0, half), signal);
      return [...left, ...(await embedded(model, passages.slice(half), signal))];
    }
    // It refuses every text, such as with a wrong key: then the passage is not the reason.
    await model.embed(["passage"], { signal });
    const { documentId, ordinal } = first;
    return [{ documentId, ordinal, bytes: new Uint8Array(), dimensions: 0 }];
  }
}
