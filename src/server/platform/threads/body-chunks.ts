import type { ChunkMessage } from "./messages.ts";

/** Sends a message that belongs to one body. */
type Post = (message: ChunkMessage, transferred?: ArrayBuffer) => void;

/** The used part of a stream's reader, whose types differ between Bun and Node. */
interface ChunkReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array<ArrayBuffer> | undefined }>;
  cancel(): Promise<void>;
}

/** Sends a body to another thread, one chunk for each `pull`: memory follows the reader. */
export class ChunkSource {
  readonly #id: number;
  readonly #reader: ChunkReader;
  readonly #post: Post;
  readonly #isOwned: boolean;
  readonly #onOver: () => void;
  #isOver = false;

  /**
   * With `isOwned` the chunks are transferred, not copied. `onOver` is called once, at the end or
   * after `cancel`.
   */
  constructor(
    id: number,
    stream: ReadableStream<Uint8Array<ArrayBuffer>>,
    options: { readonly post: Post; readonly isOwned: boolean; readonly onOver: () => void },
  ) {
    this.#id = id;
    this.#reader = stream.getReader();
    this.#post = options.post;
    this.#isOwned = options.isOwned;
    this.#onOver = options.onOver;
  }

  async pull(): Promise<void> {
    try {
      const { done, value } = await this.#reader.read();
      if (this.#isOver) return;
      if (done || value === undefined) {
        this.#post({ kind: "end", id: this.#id });
        return this.#end();
      }
      const isWhole = value.byteLength === value.buffer.byteLength;
      const transferred = this.#isOwned && isWhole ? value.buffer : undefined;
      this.#post({ kind: "chunk", id: this.#id, bytes: value }, transferred);
    } catch {
      if (this.#isOver) return;
      this.#post({ kind: "broken", id: this.#id });
      this.#end();
    }
  }

  cancel(): void {
    if (this.#isOver) return;
    this.#end();
    void this.#reader.cancel().catch(() => {});
  }

  #end(): void {
    this.#isOver = true;
    this.#onOver();
  }
}

/** Receives a body: a stream that pulls its chunks from the other thread. */
export class ChunkSink {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  #controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  #arrived: (() => void) | undefined;
  readonly #onOver: () => void;
  #isOver = false;

  /** `onOver` is called once, when the stream has ended, failed or been cancelled. */
  constructor(id: number, options: { readonly post: Post; readonly onOver: () => void }) {
    this.#onOver = options.onOver;
    this.stream = new ReadableStream(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () =>
          new Promise((resolve) => {
            this.#arrived = resolve;
            options.post({ kind: "pull", id });
          }),
        cancel: () => {
          if (!this.#isOver) options.post({ kind: "cancel", id });
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
  break(reason: string): void {
    if (!this.#isOver) this.#controller?.error(new Error(reason));
    this.#end();
  }

  #end(): void {
    this.#settle();
    if (this.#isOver) return;
    this.#isOver = true;
    this.#onOver();
  }

  #settle(): void {
    this.#arrived?.();
    this.#arrived = undefined;
  }
}
