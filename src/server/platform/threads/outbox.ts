import type { Transferable } from "node:worker_threads";

interface Port<Message> {
  postMessage(messages: readonly Message[], transferred: Transferable[]): void;
}

/**
 * Sends the messages of one turn of the event loop together: to wake the other thread costs more
 * than what is said.
 */
export class Outbox<Message> {
  readonly #port: Port<Message>;
  #messages: Message[] = [];
  #transferred: Transferable[] = [];

  constructor(port: Port<Message>) {
    this.#port = port;
  }

  /** What is `transferred` is the other thread's from then on. */
  post(message: Message, transferred?: Transferable): void {
    if (this.#messages.length === 0) setImmediate(() => this.#send());
    this.#messages.push(message);
    if (transferred !== undefined) this.#transferred.push(transferred);
  }

  #send(): void {
    const [messages, transferred] = [this.#messages, this.#transferred];
    this.#messages = [];
    this.#transferred = [];
    this.#port.postMessage(messages, transferred);
  }
}
