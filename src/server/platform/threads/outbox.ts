import type { Transferable } from "node:worker_threads";

interface Port<Message> {
  postMessage(messages: readonly Message[], transferred: Transferable[]): void;
}

/** Sends the messages of one tick together, because to wake the other thread is expensive. */
export class Outbox<Message> {
  #messages: Message[] = [];
  #transferred: Transferable[] = [];

  constructor(private readonly port: Port<Message>) {}

  /** `transferred` belongs to the other thread afterwards. */
  post(message: Message, transferred?: Transferable): void {
    if (this.#messages.length === 0) setImmediate(() => this.#send());
    this.#messages.push(message);
    if (transferred !== undefined) this.#transferred.push(transferred);
  }

  #send(): void {
    const [messages, transferred] = [this.#messages, this.#transferred];
    this.#messages = [];
    this.#transferred = [];
    this.port.postMessage(messages, transferred);
  }
}
