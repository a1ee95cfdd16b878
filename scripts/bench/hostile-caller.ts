/**
 * A caller that does its worst until its input ends: `bun hostile-caller.ts` reads one JSON line
 * with the {@link HostileOrder} and answers nothing. It runs in a separate process, so that its
 * work does not delay the clock of the measured callers.
 */
export interface HostileOrder {
  readonly connections: number;
  readonly token: string;
  readonly requests: readonly HostileRequest[];
}

export interface HostileRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  /** `{number}` in it becomes the number of the call. */
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const order: HostileOrder = JSON.parse(await new Response(Bun.stdin.stream()).text());
const usual = { authorization: `Bearer ${order.token}`, "content-type": "application/json" };

async function callForever(first: number): Promise<never> {
  for (let at = first; ; at += 1) {
    const request = order.requests[at % order.requests.length];
    if (request === undefined) throw new Error("there is nothing to ask");
    const { method, url, headers = {} } = request;
    const body = request.body?.replace("{number}", `${first} ${at}`);
    try {
      const options = {
        method,
        headers: { ...usual, ...headers },
        body,
        redirect: "manual",
      } as const;
      const response = await fetch(url, options);
      for await (const _ of response.body ?? []) {
        // Only the platform's work counts.
      }
    } catch {
      await Bun.sleep(10);
    }
  }
}

await Promise.all(Array.from({ length: order.connections }, (_, index) => callForever(index)));
