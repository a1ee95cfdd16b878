import { join } from "node:path";
import { given } from "#lib/given.ts";
import { startModelServer } from "../../test/support/model-server.ts";
import { startPlatformProcess, type RunningPlatform } from "../../test/support/platform-process.ts";
import { userEnvironment } from "../../test/support/environment.ts";
import { finished } from "../build/finished.ts";

/** The public address of the recorded platform, which its links and tokens name. */
export const origin = "http://platform.test";

/** Where a platform keeps its data. */
export interface Place {
  readonly executable: string;
  /** An empty home for the processes. */
  readonly home: string;
  readonly dataDirectory: string;
  /** PostgreSQL instead of the database in the data directory. */
  readonly databaseUrl: string | undefined;
}

export interface Sent {
  readonly tenant?: string | undefined;
  /** The first user's token unless given. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A form, bytes, or else JSON. */
  readonly body?: object;
}

/** The answer to a call, whose JSON is read by member names. */
export class Answer {
  constructor(
    readonly type: string,
    readonly bytes: Uint8Array,
  ) {}

  get json(): unknown {
    return JSON.parse(new TextDecoder().decode(this.bytes));
  }

  value(...names: readonly string[]): unknown {
    let value = this.json;
    for (const name of names) {
      value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
    }
    return value;
  }

  text(...names: readonly string[]): string {
    const value = this.value(...names);
    if (typeof value !== "string") throw new Error(`no text ${names.join(".")} in an answer`);
    return value;
  }

  /** The items of a list, with the given members as text. */
  items(...names: readonly string[]): Record<string, string>[] {
    const items = this.value("items");
    if (!Array.isArray(items)) throw new Error("an answer has no items");
    return items.map((item: object) =>
      Object.fromEntries(names.map((name) => [name, String(Reflect.get(item, name))])),
    );
  }
}

/** A platform of another commit in its own process, called over HTTP. */
export class RecordedPlatform {
  private constructor(
    private readonly running: RunningPlatform,
    readonly token: string,
  ) {}

  /** Starts it on the data of `place`, runs `work`, and stops it in order. */
  static async run<Result>(
    place: Place,
    args: readonly string[],
    work: (platform: RecordedPlatform) => Promise<Result>,
  ): Promise<Result> {
    const database = place.databaseUrl === undefined ? [] : [`--database-url=${place.databaseUrl}`];
    const running = await startPlatformProcess({
      ...place,
      dataDir: place.dataDirectory,
      args: [`--base-url=${origin}`, "--threads=1", ...database, ...args],
    });
    try {
      const result = await work(new RecordedPlatform(running, await running.token()));
      if ((await running.stop()) !== 0) throw new Error(`the stop failed:\n${running.stderr()}`);
      return result;
    } finally {
      await running[Symbol.asyncDispose]();
    }
  }

  /** Runs work as `run` does, with a language model and embeddings. */
  static async runWithModels<Result>(
    place: Place,
    work: (platform: RecordedPlatform) => Promise<Result>,
  ): Promise<Result> {
    await using models = await startModelServer();
    const names = ["--ai-chat-model=stored-chat", "--ai-embedding-model=stored-embedding"];
    return await RecordedPlatform.run(place, [`--ai-url=${models.url}`, ...names], work);
  }

  /** The password of the first user, which the first start shows once. */
  get oneTimePassword(): string {
    const shown = /one-time password[^:]*: (\S+)/.exec(this.running.stderr());
    return shown?.[1] ?? "";
  }

  /** An access token of the user with this e-mail address. */
  tokenOf(email: string): Promise<string> {
    return this.running.token(email);
  }

  /** Sends a request for the public address, and returns any answer. */
  readonly fetch = (request: Request): Promise<Response> => {
    const { pathname, search, host } = new URL(request.url);
    request.headers.set("host", host);
    return fetch(new Request(this.running.url + pathname + search, request));
  };

  /** Calls a route, which must succeed. */
  async call(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    const { body } = sent;
    const isForm = body instanceof FormData || body instanceof Blob;
    const isJson = body !== undefined && !isForm;
    const headers: Record<string, string> = {
      authorization: `Bearer ${sent.token ?? this.token}`,
      ...given({ "x-tenant-id": sent.tenant }),
      ...(isJson ? { "content-type": "application/json" } : {}),
      ...sent.headers,
    };
    const content = isForm ? body : JSON.stringify(body);
    const response = await this.fetch(
      new Request(origin + path, {
        method,
        headers,
        ...given({ body: content }),
      }),
    );
    const bytes = await response.bytes();
    if (!response.ok) {
      throw new Error(`${method} ${path}: ${response.status} ${new TextDecoder().decode(bytes)}`);
    }
    return new Answer(response.headers.get("content-type") ?? "", bytes);
  }

  /** The paths of the platform's OpenAPI document with their methods. */
  async routes(): Promise<Readonly<Record<string, object>>> {
    const { json } = await this.call("GET", "/v4/openapi.json");
    return (json as { readonly paths: Readonly<Record<string, object>> }).paths;
  }

  /** Repeats a read until its answer is as wanted. */
  async until(path: string, sent: Sent, isDone: (answer: Answer) => boolean): Promise<Answer> {
    const deadline = performance.now() + waitLimitMs;
    for (;;) {
      const answer = await this.call("GET", path, sent);
      if (isDone(answer)) return answer;
      if (performance.now() > deadline) throw new Error(`${path} is not as wanted in time`);
      await Bun.sleep(pollMs);
    }
  }
}

const waitLimitMs = 120_000;
const pollMs = 100;

/** Runs a command of the recorded executable on the data of `place`. */
export async function runOn(place: Place, words: readonly string[]): Promise<string> {
  const { executable, home, dataDirectory, databaseUrl } = place;
  const database = databaseUrl === undefined ? [] : [`--database-url=${databaseUrl}`];
  const key = { SVC_KEY_FILE: join(dataDirectory, "svc.key") };
  const child = Bun.spawn([executable, ...words, `--data-dir=${dataDirectory}`, ...database], {
    cwd: home,
    env: userEnvironment(home, key),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { stdout, stderr, exitCode } = await finished(child);
  if (exitCode !== 0) throw new Error(`svc ${words.join(" ")}: ${exitCode}\n${stdout}${stderr}`);
  return stdout;
}
