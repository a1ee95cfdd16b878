/** The words of the model for one request. */
export interface ModelAnswer {
  readonly reasoning?: string;
  /** Sent as one chunk for each item. */
  readonly text?: string | readonly string[];
  readonly toolCalls?: readonly { readonly name: string; readonly input: unknown }[];
  readonly finishReason?: string;
}

/** A request for an answer, as the endpoint got it. */
export interface AskedModel {
  readonly path: string;
  readonly authorization: string | null;
  readonly body: {
    readonly model: string;
    readonly messages: readonly {
      readonly role: string;
      readonly content: unknown;
      readonly tool_call_id?: string;
    }[];
    readonly tools?: readonly { readonly function: { readonly name: string } }[];
    readonly max_tokens?: number;
    readonly response_format?: unknown;
    readonly input?: readonly string[];
  };
}

export type ModelFault =
  | "silent"
  | "stalls"
  | "garbage"
  | "not-json"
  | "too-many-requests"
  | "fails"
  | "refuses"
  | "cut"
  | "cut-before-end"
  | "lies"
  | "endless"
  | "redirects";

export interface ModelTestServer extends AsyncDisposable {
  /** The base URL, which ends with `/v1`. */
  readonly url: string;
  readonly requests: readonly AskedModel[];
  /** Misbehaves for the next `times` requests; for all of them by default. */
  behave(fault: ModelFault | undefined, times?: number): void;
  /** Makes other vectors from now on, such as of another size. */
  embedBy(embed: (text: string) => readonly unknown[]): void;
}

export interface ModelServerOptions {
  readonly answer?: (asked: AskedModel) => ModelAnswer;
  /** Default: a vector of the text's letters, so that similar texts have similar vectors. */
  readonly embed?: (text: string) => readonly number[];
  /** Answers 400 to a request of vectors with such a text. */
  readonly refuses?: (text: string) => boolean;
}

/** A small OpenAI-compatible endpoint on loopback, which can also be hostile. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelTestServer> {
  const requests: AskedModel[] = [];
  let fault: ModelFault | undefined;
  let faultsLeft = 0;
  let embed: (text: string) => readonly unknown[] = options.embed ?? letters;
  const closing = new AbortController();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const asked: AskedModel = {
        path: new URL(request.url).pathname,
        authorization: request.headers.get("authorization"),
        body: (await request.json()) as AskedModel["body"],
      };
      requests.push(asked);
      const now = faultsLeft > 0 ? fault : undefined;
      faultsLeft -= 1;
      const said = options.answer?.(asked) ?? { text: ["The answer ", "is forty-two."] };
      if (now !== undefined) return misbehaving(now, { asked, said, closing: closing.signal });
      if (asked.path.endsWith("/embeddings")) {
        const isRefused = (asked.body.input ?? []).some((text) => options.refuses?.(text) === true);
        if (!isRefused) return embedded(asked, embed);
        return misbehaving("refuses", { asked, said, closing: closing.signal });
      }
      return streamed(chunksOf(asked, said));
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    requests,
    behave(next, times = Infinity) {
      fault = next;
      faultsLeft = times;
    },
    embedBy(next) {
      embed = next;
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      await server.stop(true);
    },
  };
}

function embedded({ body }: AskedModel, embed: (text: string) => readonly unknown[]): Response {
  const data = (body.input ?? []).map((text, index) => ({
    object: "embedding",
    index,
    embedding: embed(text),
  }));
  return Response.json({ object: "list", model: body.model, data, usage: { prompt_tokens: 1 } });
}

/** Counts of letters, in 26 numbers. */
function letters(text: string): number[] {
  const counts = Array.from({ length: 26 }, () => 0.01);
  for (const letter of text.toLowerCase()) {
    const at = letter.charCodeAt(0) - 97;
    if (at >= 0 && at < 26) counts[at] = (counts[at] ?? 0) + 1;
  }
  return counts;
}

const end = "data: [DONE]\n\n";

function chunksOf({ body }: AskedModel, answer: ModelAnswer): string[] {
  const chunk = (delta: unknown, finish: string | null = null): string =>
    event({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      model: body.model,
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const { reasoning, text = [], toolCalls = [] } = answer;
  const calls = toolCalls.map(({ name, input }, index) => ({
    index,
    id: `call-${index}-${requestNumber(body)}`,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  return [
    chunk({ role: "assistant" }),
    ...(reasoning === undefined ? [] : [chunk({ reasoning_content: reasoning })]),
    ...(typeof text === "string" ? [text] : text).map((content) => chunk({ content })),
    ...(calls.length === 0 ? [] : [chunk({ tool_calls: calls })]),
    chunk({}, answer.finishReason ?? (calls.length === 0 ? "stop" : "tool_calls")),
    event({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 } }),
    end,
  ];
}

/** Ids of tool calls differ in each step of a conversation. */
function requestNumber(body: AskedModel["body"]): number {
  return body.messages.length;
}

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function streamed(chunks: readonly string[], after?: (end: () => void) => void): Response {
  const encoder = new TextEncoder();
  let hasLeft = false;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      if (after === undefined) controller.close();
      else {
        after(() => {
          if (!hasLeft) controller.close();
        });
      }
    },
    cancel() {
      hasLeft = true;
    },
  });
  return new Response(stream, { headers: { "content-type": "text/event-stream" } });
}

interface Misbehaving {
  readonly asked: AskedModel;
  readonly said: ModelAnswer;
  readonly closing: AbortSignal;
}

function misbehaving(
  fault: ModelFault,
  { asked, said, closing }: Misbehaving,
): Response | Promise<Response> {
  const begun = chunksOf(asked, said).slice(0, 2);
  const untilClose = (finish: () => void): void =>
    closing.addEventListener("abort", finish, { once: true });
  switch (fault) {
    case "silent":
      return new Promise((resolve) =>
        untilClose(() => resolve(new Response(null, { status: 503 }))),
      );
    case "stalls":
      return streamed(begun, untilClose);
    case "garbage":
      return streamed([...begun, "data: {not json\n\n", "\u0000\u0001 nonsense\n\n", end]);
    case "not-json":
      return new Response("<html>Welcome to the proxy</html>", {
        headers: { "content-type": "text/html" },
      });
    case "too-many-requests":
      return new Response("slow down", { status: 429, headers: { "retry-after": "0" } });
    case "fails":
      return Response.json({ error: { message: "sk-secret leaked" } }, { status: 500 });
    case "refuses":
      return Response.json({ error: { message: "no such model" } }, { status: 400 });
    case "cut":
      return streamed(chunksOf(asked, said).slice(0, -3));
    case "cut-before-end":
      return streamed(chunksOf(asked, { text: "Forty-two." }).slice(0, 2));
    case "lies":
      return asked.path.endsWith("/embeddings")
        ? Response.json({ data: [{ embedding: [null, "much"] }], usage: { prompt_tokens: -1 } })
        : streamed([event({ choices: "many", usage: { prompt_tokens: "lots" } }), end]);
    case "endless": {
      const line = new TextEncoder().encode(
        event({ choices: [{ delta: { content: "x".repeat(1_000) } }] }),
      );
      const stream = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(line),
      });
      return new Response(stream, { headers: { "content-type": "text/event-stream" } });
    }
    case "redirects":
      return new Response(null, { status: 307, headers: { location: "http://127.0.0.1:9/v1" } });
  }
}
