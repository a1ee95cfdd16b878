import { parentPort, Worker, workerData } from "node:worker_threads";
import { vectorOfBytes, type QuantizedVector } from "./quantize.ts";
import { VectorIndex, VectorMemory, type NearPassage } from "./vector-index.ts";

/** Stored vectors of passages, as rows. */
export interface StoredVector {
  readonly documentId: string;
  readonly ordinal: number;
  readonly bytes: Uint8Array;
}

type Task =
  | { readonly kind: "open"; readonly dimensions: number }
  | { readonly kind: "put"; readonly rows: readonly StoredVector[] }
  | { readonly kind: "forget"; readonly documentIds: readonly string[] }
  | {
      readonly kind: "search";
      readonly query: QuantizedVector;
      readonly limit: number;
      readonly among: ReadonlySet<string> | undefined;
    }
  | { readonly kind: "close" };

interface Message {
  readonly id: number;
  readonly index: string;
  readonly task: Task;
}

interface Reply {
  readonly id: number;
  readonly near?: readonly NearPassage[];
  readonly error?: string;
}

interface WorkerStart {
  readonly svcVectors: true;
  readonly limitBytes: number;
}

interface Waiting {
  readonly resolve: (near: readonly NearPassage[]) => void;
  readonly reject: (error: Error) => void;
}

/** Compares vectors in its own thread, which starts with the first index. */
export class VectorThread {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #lastId = 0;

  /** `limitBytes`: of all vectors together. `onLost`: the thread ended with all its indexes. */
  constructor(
    private readonly limitBytes: number,
    private readonly onLost: () => void,
  ) {}

  /** An empty index; it replaces one of the same name. */
  async open(index: string, dimensions: number): Promise<void> {
    await this.#run(index, { kind: "open", dimensions });
  }

  /** Vectors that find no memory are left out. */
  async put(index: string, rows: readonly StoredVector[]): Promise<void> {
    await this.#run(index, { kind: "put", rows });
  }

  async forget(index: string, documentIds: readonly string[]): Promise<void> {
    await this.#run(index, { kind: "forget", documentIds });
  }

  /** The nearest passages, best first; none in an unknown index. */
  search(
    index: string,
    query: QuantizedVector,
    limit: number,
    among?: ReadonlySet<string>,
  ): Promise<readonly NearPassage[]> {
    return this.#run(index, { kind: "search", query, limit, among });
  }

  async drop(index: string): Promise<void> {
    if (this.#worker !== undefined) await this.#run(index, { kind: "close" });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#end(new Error("the vector index is closed"));
    await worker?.terminate();
  }

  #run(index: string, task: Task): Promise<readonly NearPassage[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly NearPassage[]>();
    this.#lastId += 1;
    const id = this.#lastId;
    this.#waiting.set(id, { resolve, reject });
    const message: Message = { id, index, task };
    this.#open().postMessage(message);
    return promise;
  }

  #open(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const start: WorkerStart = { svcVectors: true, limitBytes: this.limitBytes };
    const worker = new Worker(new URL(import.meta.url), { workerData: start });
    worker.unref();
    worker.on("message", ({ id, near = [], error }: Reply) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting?.resolve(near);
      else waiting?.reject(new Error(error));
    });
    const ended = (error: unknown): void => {
      if (this.#worker === worker)
        this.#end(new Error("the vector thread ended", { cause: error }));
    };
    worker.once("error", ended);
    worker.once("exit", ended);
    this.#worker = worker;
    return worker;
  }

  #end(error: Error): void {
    this.#worker = undefined;
    this.onLost();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

class Indexes {
  readonly #memory: VectorMemory;
  readonly #open = new Map<string, VectorIndex>();

  constructor({ limitBytes }: WorkerStart) {
    this.#memory = new VectorMemory(limitBytes);
  }

  answer({ id, index: name, task }: Message): Reply {
    try {
      return { id, near: this.#run(name, task) };
    } catch (error) {
      return { id, error: error instanceof Error ? error.message : String(error) };
    }
  }

  #run(name: string, task: Task): NearPassage[] {
    const index = this.#open.get(name);
    switch (task.kind) {
      case "open":
        index?.close();
        this.#open.set(name, new VectorIndex(this.#memory, task.dimensions));
        return [];
      case "put":
        index?.put(
          task.rows.map(({ bytes, ...row }) => ({ ...row, vector: vectorOfBytes(bytes) })),
        );
        return [];
      case "forget":
        index?.forget(task.documentIds);
        return [];
      case "search":
        return index?.search(task.query, task.limit, task.among) ?? [];
      case "close":
        index?.close();
        this.#open.delete(name);
        return [];
    }
  }
}

function isWorkerStart(data: unknown): data is WorkerStart {
  return typeof data === "object" && data !== null && "svcVectors" in data;
}

// Other threads only import the class above.
if (isWorkerStart(workerData) && parentPort !== null) {
  const port = parentPort;
  const indexes = new Indexes(workerData);
  port.on("message", (message: Message) => port.postMessage(indexes.answer(message)));
}
