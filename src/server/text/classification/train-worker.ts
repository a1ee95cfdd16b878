import { parentPort, Worker, workerData } from "node:worker_threads";
import { bytesOfModel } from "./model-bytes.ts";
import { yieldToRequests } from "../../kit/turns/low-priority.ts";
import { trainTextModel, type LabelledText, type TrainingMetrics } from "./text-model.ts";

interface TrainingInput {
  readonly examples: readonly LabelledText[];
  /** The words that describe each label. */
  readonly names: Readonly<Record<string, string>>;
  readonly threshold: number;
}

interface WorkerStart extends TrainingInput {
  readonly svcTraining: true;
}

interface WorkerReply {
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly metrics?: TrainingMetrics;
  readonly error?: string;
}

export interface Training {
  /** The model, as `modelOfBytes` reads it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly metrics: TrainingMetrics;
}

const limitMs = 5 * 60 * 1000;

/**
 * Trains a model in its own thread, so that requests go on. Rejects when the signal aborts, or
 * after five minutes; the thread then ends.
 */
export async function trainInWorker(input: TrainingInput, signal: AbortSignal): Promise<Training> {
  signal.throwIfAborted();
  const start: WorkerStart = { svcTraining: true, ...input };
  const worker = new Worker(new URL(import.meta.url), { workerData: start });
  const { promise, resolve, reject } = Promise.withResolvers<Training>();
  const stop = (): void => reject(signal.reason);
  const timer = setTimeout(() => reject(new Error("the training took too long")), limitMs);
  signal.addEventListener("abort", stop, { once: true });
  worker.once("error", reject);
  worker.once("exit", () => reject(new Error("the training ended without a model")));
  worker.once("message", ({ bytes, metrics, error }: WorkerReply) => {
    if (bytes !== undefined && metrics !== undefined) resolve({ bytes, metrics });
    else reject(new Error(error ?? "the training gave no model"));
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    await worker.terminate();
  }
}

function isWorkerStart(data: unknown): data is WorkerStart {
  return typeof data === "object" && data !== null && "svcTraining" in data;
}

function train({ examples, names, threshold }: WorkerStart): WorkerReply {
  try {
    const { model, metrics } = trainTextModel(examples, threshold, (label) => names[label] ?? "");
    return { bytes: bytesOfModel(model), metrics };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

// Other threads only import the function above.
if (isWorkerStart(workerData) && parentPort !== null) {
  yieldToRequests();
  parentPort.postMessage(train(workerData));
}
