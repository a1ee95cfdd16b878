import type { PieceMessage } from "./messages.ts";

/** Sends a message that belongs to one body. */
type Post = (message: PieceMessage, transferred?: ArrayBuffer) => void;

/** What is used of a stream's reader, whose type is another one in Bun and in Node. */
interface PieceReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array<ArrayBuffer> | undefined }>;
  cancel(): Promise<void>;
}

/**
 * The sending end of a body that crosses threads: one piece for each `pull`, so that no more of it
 * is in memory than its reader takes.
 */
export class PieceSource {
  readonly #id: number;
  readonly #reader: PieceReader;
  readonly #post: Post;
  readonly #isOwned: boolean;
  readonly #onOver: () => void;
  #isOver = false;

  /**
   * `isOwned` says that the stream's pieces are nobody else's: they change hands instead of being
   * copied. `onOver` is called once, when nothing more will be asked of it.
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
      this.#post({ kind: "piece", id: this.#id, bytes: value }, transferred);
    } catch {
      if (this.#isOver) return;
      this.#post({ kind: "broken", id: this.#id });
      this.#end();
    }
  }

  /** Nobody reads it any more. */
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

/** The receiving end: a stream that asks the other thread for its pieces. */
export class PieceSink {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  #controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
  #arrived: (() => void) | undefined;
  readonly #onOver: () => void;
  #isOver = false;

  /** `onOver` is called once, when the stream has ended, broken or been given up. */
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

  /** The sender could not go on: whoever reads gets an error and not a shorter body. */
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
