import { parentPort, Worker, workerData } from "node:worker_threads";
import { yieldToRequests } from "../../../../kit/turns/low-priority.ts";
import { FormatError, type Chunks } from "../formats/source.ts";
import { readFeatures, type FeaturePart, type ReadingTask } from "./feature-reader.ts";

interface ThreadStart {
  readonly svcFeatures: true;
  readonly task: ReadingTask;
}

/** Bytes of the file, or its end. */
interface Chunk {
  readonly chunk: Uint8Array | undefined;
}

type ToThread = Chunk | { readonly isTaken: true };

type FromThread =
  | { readonly kind: "more" }
  | { readonly kind: "part"; readonly part: FeaturePart }
  | { readonly kind: "end" }
  | { readonly kind: "failed"; readonly message: string; readonly isFormat: boolean };

/** Chunks and parts that are sent before the other side has asked for them. */
const ahead = 2;

/**
 * {@link readFeatures} in its own thread: parsing and checking takes as long as storing, and
 * requests are answered meanwhile. Rejects with the signal's reason when it aborts, with
 * FormatError for a file that cannot be read, and with what the chunks reject with.
 */
export async function* readInThread(
  chunks: Chunks,
  task: ReadingTask,
  signal: AbortSignal,
): AsyncGenerator<FeaturePart, void, void> {
  signal.throwIfAborted();
  const start: ThreadStart = { svcFeatures: true, task };
  const worker = new Worker(new URL(import.meta.url), { workerData: start });
  const source = chunks[Symbol.asyncIterator]();
  const replies = new Inbox<Exclude<FromThread, { kind: "more" }>>();
  const stop = (): void => replies.fail(signal.reason);
  const send = (message: ToThread): void => worker.postMessage(message);
  let sending = Promise.resolve();
  const sendChunk = async (): Promise<void> => {
    const next = await source.next();
    send({ chunk: next.done === true ? undefined : next.value });
  };
  signal.addEventListener("abort", stop, { once: true });
  worker.on("error", (error) => replies.fail(error));
  worker.on("exit", () => replies.fail(new Error("the thread of an import ended too early")));
  worker.on("message", (reply: FromThread) => {
    if (reply.kind !== "more") return replies.add(reply);
    sending = sending.then(sendChunk).catch((error: unknown) => replies.fail(error));
  });
  try {
    for (;;) {
      const reply = await replies.next();
      if (reply.kind === "end") return;
      if (reply.kind === "failed") {
        throw reply.isFormat ? new FormatError(reply.message) : new Error(reply.message);
      }
      yield reply.part;
      send({ isTaken: true });
    }
  } finally {
    signal.removeEventListener("abort", stop);
    await worker.terminate();
    await source.return?.();
  }
}

/** Messages in their order, and why no further one comes. */
class Inbox<Message> {
  readonly #messages: Message[] = [];
  #failure: { readonly reason: unknown } | undefined;
  #wake: () => void = () => {};

  add(message: Message): void {
    this.#messages.push(message);
    this.#wake();
  }

  fail(reason: unknown): void {
    this.#failure ??= { reason };
    this.#wake();
  }

  async next(): Promise<Message> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.reason;
      const message = this.#messages.shift();
      if (message !== undefined) return message;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

function isThreadStart(data: unknown): data is ThreadStart {
  return typeof data === "object" && data !== null && "svcFeatures" in data;
}

type Port = NonNullable<typeof parentPort>;

const postTo = (port: Port) => (message: FromThread) => port.postMessage(message);

async function read({ task }: ThreadStart, port: Port): Promise<void> {
  const post = postTo(port);
  const received = new Inbox<Chunk>();
  const taken = new Inbox<true>();
  port.on("message", (message: ToThread) => {
    if ("chunk" in message) received.add(message);
    else taken.add(true);
  });
  async function* chunks(): AsyncGenerator<Uint8Array, void, void> {
    for (let sent = 1; sent < ahead; sent += 1) post({ kind: "more" });
    for (;;) {
      post({ kind: "more" });
      const { chunk } = await received.next();
      if (chunk === undefined) return;
      yield chunk;
    }
  }
  for (let free = 0; free < ahead; free += 1) taken.add(true);
  for await (const part of readFeatures(chunks(), task)) {
    await taken.next();
    post({ kind: "part", part });
  }
  post({ kind: "end" });
}

// Other threads only import `readInThread`.
if (isThreadStart(workerData) && parentPort !== null) {
  yieldToRequests();
  const post = postTo(parentPort);
  read(workerData, parentPort).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    post({ kind: "failed", message, isFormat: error instanceof FormatError });
  });
}
