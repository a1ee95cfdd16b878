/**
 * A caller that does its worst until its input ends: `bun caller.ts` reads one JSON line with the
 * {@link HostileOrder}, and prints the number of answers by status when it gets SIGTERM. It runs in
 * a separate process, so that its work does not delay the clock of the measured callers.
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
const answers: Record<number, number> = {};
process.on("SIGTERM", () => {
  console.log(JSON.stringify(answers));
  process.exit(0);
});

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
      answers[response.status] = (answers[response.status] ?? 0) + 1;
    } catch {
      await Bun.sleep(10);
    }
  }
}

await Promise.all(Array.from({ length: order.connections }, (_, index) => callForever(index)));
