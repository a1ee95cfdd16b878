import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { isReady, readyLimitMs, runLimitMs, type Browser } from "./browser.ts";

/** Preferences without which a new profile asks its maker's servers for many things. */
const preferences: Readonly<Record<string, boolean | number | string>> = {
  "app.normandy.enabled": false,
  "app.update.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "browser.startup.page": 0,
  "datareporting.policy.dataSubmissionEnabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "data:,#remote-settings-dummy/v1",
  "toolkit.telemetry.enabled": false,
  "toolkit.telemetry.unified": false,
};

/** Firefox, headless, by WebDriver BiDi. It accepts the certificate of the run. */
export async function openFirefox(directory: string): Promise<Browser> {
  const profile = join(directory, "firefox");
  await mkdir(profile, { recursive: true });
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  await Bun.write(join(profile, "user.js"), `${lines.join("\n")}\n`);
  const child = Bun.spawn(
    ["firefox-esr", "--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0"],
    { env: { ...process.env, HOME: directory }, stdio: ["ignore", "ignore", "pipe"] },
  );
  const link = await Link.open(`${await addressOf(child.stderr)}/session`);
  const capabilities = { alwaysMatch: { acceptInsecureCerts: true } };
  await link.call("session.new", { capabilities });
  const events = ["log.entryAdded", "network.responseCompleted"];
  await link.call("session.subscribe", { events });
  return {
    async open(url, ready = isReady) {
      const created = await link.call("browsingContext.create", { type: "tab" });
      const { context } = z.object({ context: z.string() }).parse(created);
      link.complaints = [];
      link.missing = [];
      await link.call("browsingContext.navigate", { context, url, wait: "complete" });
      const evaluate = async (expression: string): Promise<string> => {
        const input = { expression, target: { context }, awaitPromise: true };
        const answer = evaluated.parse(await link.call("script.evaluate", input));
        if (answer.type === "success") return String(answer.result.value);
        throw new Error(answer.exceptionDetails.text);
      };
      const endsAt = performance.now() + readyLimitMs;
      while ((await evaluate(ready)) !== "true") {
        if (performance.now() > endsAt) throw new Error(`${url}: ${link.complaints.join("; ")}`);
        await Bun.sleep(50);
      }
      return {
        evaluate,
        complaints: () => link.complaints,
        missing: () => link.missing,
        [Symbol.asyncDispose]: async () =>
          void (await link.call("browsingContext.close", { context })),
      };
    },
    async [Symbol.asyncDispose]() {
      link.close();
      child.kill();
      await child.exited;
    },
  };
}

const evaluated = z.discriminatedUnion("type", [
  z.object({ type: z.literal("success"), result: z.object({ value: z.unknown() }) }),
  z.object({ type: z.literal("exception"), exceptionDetails: z.object({ text: z.string() }) }),
]);

const message = z.union([
  z.object({ type: z.literal("success"), id: z.number(), result: z.unknown() }),
  z.object({ type: z.literal("error"), id: z.number(), error: z.string(), message: z.string() }),
  z.object({
    method: z.literal("log.entryAdded"),
    params: z.object({ level: z.string(), text: z.string().nullable() }),
  }),
  z.object({
    method: z.literal("network.responseCompleted"),
    params: z.object({ response: z.object({ url: z.string(), status: z.number() }) }),
  }),
]);

/** One session of WebDriver BiDi: commands with their answers, and the events of its pages. */
class Link {
  complaints: string[] = [];
  missing: string[] = [];
  #number = 0;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener("message", ({ data }) => this.#receive(String(data)));
    socket.addEventListener("close", () => {
      for (const each of this.#waiting.values()) each.reject(new Error("Firefox has ended"));
    });
  }

  static async open(url: string): Promise<Link> {
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("error", () => reject(new Error(`no session at ${url}`)));
    });
    return new Link(socket);
  }

  async call(method: string, params: object): Promise<unknown> {
    this.#number += 1;
    const id = this.#number;
    const answer = Promise.withResolvers<unknown>();
    this.#waiting.set(id, answer);
    const late = setTimeout(() => answer.reject(new Error(`${method} takes too long`)), runLimitMs);
    this.socket.send(JSON.stringify({ id, method, params }));
    try {
      return await answer.promise;
    } finally {
      clearTimeout(late);
      this.#waiting.delete(id);
    }
  }

  close(): void {
    this.socket.close();
  }

  #receive(text: string): void {
    const { data } = message.safeParse(JSON.parse(text));
    if (data === undefined) return;
    if ("id" in data) {
      const waiting = this.#waiting.get(data.id);
      if (data.type === "success") waiting?.resolve(data.result);
      else waiting?.reject(new Error(`${data.error}: ${data.message}`));
    } else if (data.method === "log.entryAdded") {
      this.complaints.push(data.params.text ?? data.params.level);
    } else if (data.params.response.status === 404) {
      this.missing.push(data.params.response.url);
    }
  }
}

/** The address of BiDi, which Firefox writes to its stderr. */
async function addressOf(stderr: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stderr) {
    text += decoder.decode(chunk, { stream: true });
    const address = /BiDi listening on (ws:\/\/\S+)/.exec(text)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`Firefox did not start:\n${text}`);
}
