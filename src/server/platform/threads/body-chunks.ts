import type { ChunkMessage } from "./messages.ts";

/** Sends a message that belongs to one body. */
type Post = (message: ChunkMessage, transferred?: ArrayBuffer) => void;

/** The used part of a stream's reader, whose types differ between Bun and Node. */
interface ChunkReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array<ArrayBuffer> | undefined }>;
  cancel(): Promise<void>;
}

/**
 * The two bodies of a forwarded request on one thread: one is sent, the other one received. A chunk
 * crosses for each `pull`, so the memory follows the reader.
 */
export class BodyPair {
  #source: ChunkSource | undefined;
  #sink: ChunkSink | undefined;

  /** `onOver` is called at the end of each body. */
  constructor(
    private readonly id: number,
    private readonly post: Post,
    private readonly onOver: () => void,
  ) {}

  get isSending(): boolean {
    return this.#source !== undefined;
  }

  get isReceiving(): boolean {
    return this.#sink !== undefined;
  }

  /** With `isOwned` the chunks are transferred, not copied. */
  send(stream: ReadableStream<Uint8Array<ArrayBuffer>>, isOwned: boolean): "in chunks" {
    this.#source = new ChunkSource(this.id, stream.getReader(), {
      post: this.post,
      isOwned,
      onOver: () => {
        this.#source = undefined;
        this.onOver();
      },
    });
    return "in chunks";
  }

  accept(): ReadableStream<Uint8Array<ArrayBuffer>> {
    this.#sink = new ChunkSink(this.id, this.post, () => {
      this.#sink = undefined;
      this.onOver();
    });
    return this.#sink.stream;
  }

  receive(message: ChunkMessage): void {
    switch (message.kind) {
      case "pull":
        this.#source?.pull().catch(() => {});
        return;
      case "cancel":
        return this.#source?.cancel();
      case "chunk":
        return this.#sink?.take(message.bytes);
      case "end":
        return this.#sink?.end();
      case "broken":
        return this.#sink?.break();
    }
  }

  stopSending(): void {
    this.#source?.cancel();
  }

  endReceiving(): void {
    this.#sink?.end();
  }

  abandon(): void {
    this.#source?.cancel();
    this.#sink?.break();
  }
}

class ChunkSource {
  #isOver = false;

  constructor(
    private readonly id: number,
    private readonly reader: ChunkReader,
    private readonly options: {
      readonly post: Post;
      readonly isOwned: boolean;
      readonly onOver: () => void;
    },
  ) {}

  async pull(): Promise<void> {
    const { id } = this;
    const { post, isOwned } = this.options;
    try {
      const { done, value } = await this.reader.read();
      if (this.#isOver) return;
      if (done || value === undefined) {
        post({ kind: "end", id });
        return this.#end();
      }
      const isWhole = value.byteLength === value.buffer.byteLength;
      post({ kind: "chunk", id, bytes: value }, isOwned && isWhole ? value.buffer : undefined);
    } catch {
      if (this.#isOver) return;
      post({ kind: "broken", id });
      this.#end();
    }
  }

  cancel(): void {
    if (this.#isOver) return;
    this.#end();
    this.reader.cancel().catch(() => {});
  }

  #end(): void {
    this.#isOver = true;
    this.options.onOver();
  }
}

class ChunkSink {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  #controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  #arrived: (() => void) | undefined;
  #isOver = false;

  constructor(
    id: number,
    post: Post,
    private readonly onOver: () => void,
  ) {
    this.stream = new ReadableStream(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () =>
          new Promise((resolve) => {
            this.#arrived = resolve;
            post({ kind: "pull", id });
          }),
        cancel: () => {
          if (!this.#isOver) post({ kind: "cancel", id });
          this.#end();
        },
      },
      { highWaterMark: 0 },
    );
  }

  take(bytes: Uint8Array<ArrayBuffer>): void {
    if (!this.#isOver) this.#controller?.enqueue(bytes);
    this.#settle();
  }

  end(): void {
    if (!this.#isOver) this.#controller?.close();
    this.#end();
  }

  /** The sender failed: the reader gets an error, not a shorter body. */
  break(): void {
    if (!this.#isOver) this.#controller?.error(new Error("the body broke off"));
    this.#end();
  }

  #end(): void {
    this.#settle();
    if (this.#isOver) return;
    this.#isOver = true;
    this.onOver();
  }

  #settle(): void {
    this.#arrived?.();
    this.#arrived = undefined;
  }
}
