/**
 * A caller that does its worst until its input ends: `bun hostile-caller.ts` reads one JSON line
 * with the {@link HostileOrder} and answers nothing. It runs in a separate process, so that its
 * work does not delay the clock of the measured callers.
 */
export interface HostileOrder {
  readonly connections: number;
  readonly token: string;
  readonly requests: readonly {
    readonly method: "GET" | "POST";
    readonly url: string;
    readonly body?: string;
  }[];
}

const order: HostileOrder = JSON.parse(await new Response(Bun.stdin.stream()).text());
const headers = { authorization: `Bearer ${order.token}`, "content-type": "application/json" };

async function callForever(first: number): Promise<never> {
  for (let at = first; ; at += 1) {
    const request = order.requests[at % order.requests.length];
    if (request === undefined) throw new Error("there is nothing to ask");
    const { method, url, body } = request;
    try {
      const response = await fetch(url, { method, headers, body });
      for await (const _ of response.body ?? []) {
        // Only the platform's work counts.
      }
    } catch {
      await Bun.sleep(10);
    }
  }
}

await Promise.all(Array.from({ length: order.connections }, (_, index) => callForever(index)));
