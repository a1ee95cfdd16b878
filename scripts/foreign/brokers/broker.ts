/** A broker that runs on loopback, with a place for each filter of the subscribers. */
export interface RunningBroker extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  /** Resolves when the broker has stored a message for the subscribers of a filter. */
  publish(filter: number): Promise<void>;
}

export interface Broker {
  readonly name: string;
  /** Starts it with its data in a new folder. */
  start(directory: string): Promise<RunningBroker>;
}

/** A connection that sends requests one after the other; each answer resolves the oldest one. */
export class RequestConnection {
  readonly #waiting: PromiseWithResolvers<string>[] = [];
  #text = "";

  private constructor(
    private readonly write: (text: string) => void,
    /** Takes a whole answer from the beginning of a text; undefined for an incomplete one. */
    private readonly take: (
      text: string,
    ) => { answer: string | undefined; rest: string } | undefined,
  ) {}

  static async open(
    port: number,
    take: (text: string) => { answer: string | undefined; rest: string } | undefined,
  ): Promise<RequestConnection & Disposable> {
    const receivers: RequestConnection[] = [];
    const socket = await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: { data: (_socket, bytes) => receivers[0]?.receive(bytes.toString("latin1")) },
    });
    const own = new RequestConnection((text) => void socket.write(text), take);
    receivers.push(own);
    return Object.assign(own, { [Symbol.dispose]: () => socket.end() });
  }

  /** Sends a text that the broker does not answer. */
  send(text: string): void {
    this.write(text);
  }

  ask(text: string): Promise<string> {
    const asked = Promise.withResolvers<string>();
    this.#waiting.push(asked);
    this.write(text);
    return asked.promise;
  }

  receive(text: string): void {
    this.#text += text;
    for (let found = this.take(this.#text); found !== undefined; found = this.take(this.#text)) {
      this.#text = found.rest;
      if (found.answer !== undefined) this.#waiting.shift()?.resolve(found.answer);
    }
  }
}
