import { pathToFileURL } from "node:url";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { shortText } from "#lib/short-text.ts";
import { TimeLimit } from "#lib/time-limit.ts";
import { definitionsIn, UnusableDefinitions } from "./object-types-definitions.ts";

const timeoutMs = 10_000;

interface ModuleStart {
  readonly svcObjectTypesModule: string;
}

type ModuleReply = { readonly types: readonly unknown[] } | { readonly fault: string };

/**
 * The definitions of a TypeScript module, which is the user's own code and is run: in a thread of
 * this very module, so that one that never ends can be given up, and one that ends its program ends
 * nothing else. Throws {@link UnusableDefinitions}, and the signal's reason.
 */
export async function runModule(file: string, signal?: AbortSignal): Promise<readonly unknown[]> {
  signal?.throwIfAborted();
  const start: ModuleStart = { svcObjectTypesModule: file };
  const worker = new Worker(new URL(import.meta.url), {
    workerData: start,
    // Kept from this program's stdout, which holds one answer and nothing else.
    stdout: true,
  });
  const limit = new TimeLimit(timeoutMs, signal);
  const given = Promise.withResolvers<ModuleReply>();
  limit.signal.addEventListener("abort", () => {
    if (limit.expired) given.resolve({ fault: "it did not load within 10 s" });
    else given.reject(signal?.reason);
  });
  worker.on("message", (reply: ModuleReply) => given.resolve(reply));
  worker.on("error", (error) => given.resolve({ fault: wordsOf(error) }));
  worker.on("exit", () => given.resolve({ fault: "it ended the program that read it" }));
  try {
    const reply = await given.promise;
    if ("types" in reply) return reply.types;
    throw new UnusableDefinitions(reply.fault);
  } finally {
    limit.close();
    await worker.terminate();
  }
}

/**
 * The file may wrap its definitions in the library's `defineObjectTypes`, which editors infer the
 * types of records from; running it needs no installed library.
 */
function provideLibrary(): void {
  Bun.plugin({
    name: "svc",
    setup: (build) => {
      const defineObjectTypes = (types: unknown): unknown => types;
      build.module("svc", () => ({ exports: { defineObjectTypes }, loader: "object" }));
    },
  });
}

/** What the file prints is for people: the console of this thread writes to stderr alone. */
function keepFromStdout(): void {
  const { console: own } = globalThis;
  const print = own.error.bind(own);
  const names = ["log", "info", "debug", "dir", "table", "group", "groupCollapsed", "write"];
  Object.assign(own, Object.fromEntries(names.map((name) => [name, print])));
}

async function run({ svcObjectTypesModule: file }: ModuleStart): Promise<ModuleReply> {
  keepFromStdout();
  provideLibrary();
  try {
    return { types: definitionsIn(await import(pathToFileURL(file).href)) };
  } catch (error) {
    return { fault: wordsOf(error) };
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? shortText(error.message, 300) : "it failed to load";
}

function isModuleStart(data: unknown): data is ModuleStart {
  return typeof data === "object" && data !== null && "svcObjectTypesModule" in data;
}

// Any other thread, the test runner's own too, only imports the function above.
if (isModuleStart(workerData) && parentPort !== null) {
  const port = parentPort;
  void run(workerData).then((reply) => port.postMessage(reply));
}
