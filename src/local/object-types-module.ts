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

/** A module's definitions, run in a worker thread. Throws {@link UnusableDefinitions}. */
export async function runModule(file: string, signal?: AbortSignal): Promise<readonly unknown[]> {
  signal?.throwIfAborted();
  const start: ModuleStart = { svcObjectTypesModule: file };
  const worker = new Worker(new URL(import.meta.url), {
    workerData: start,
    // stdout of this program has only the command's own output.
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
  worker.on("exit", () => given.resolve({ fault: "it exited while it was loaded" }));
  try {
    const reply = await given.promise;
    if ("types" in reply) return reply.types;
    throw new UnusableDefinitions(reply.fault);
  } finally {
    limit.close();
    await worker.terminate();
  }
}

/** Provides `defineObjectTypes`, so that a file runs without an installed library. */
function provideLibrary(): void {
  Bun.plugin({
    name: "svc",
    setup: (build) => {
      const defineObjectTypes = (types: unknown): unknown => types;
      build.module("svc", () => ({ exports: { defineObjectTypes }, loader: "object" }));
    },
  });
}

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

// Other threads, e.g. of a test runner, only import the function above.
if (isModuleStart(workerData) && parentPort !== null) {
  const port = parentPort;
  void run(workerData).then((reply) => port.postMessage(reply));
}
