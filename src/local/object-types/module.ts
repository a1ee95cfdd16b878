import { pathToFileURL } from "node:url";
import { parsedJson } from "#lib/json/value.ts";
import { clientPackage } from "#lib/packages.ts";
import { shortText } from "#lib/text/short.ts";
import { TimeLimit } from "#lib/time/time-limit.ts";
import { definitionsIn, UnusableDefinitions } from "./definitions.ts";

/** Hidden: `runSvc` runs this word with `runModuleChild`. */
const moduleWord = "__types";

const timeoutMs = 10_000;
const maximumAnswerBytes = 16 * 1024 * 1024;
/** Limit of what is kept of each of the two streams that the module prints to. */
const maximumPrintedBytes = 64 * 1024;
/** Ends the module's own output: the answer is the last line that begins with it. */
const answerMark = "\n\0svc-object-types ";

/** Variables that a module may see: none that names an account, a folder of settings or a token. */
const passedVariables = ["PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "SystemRoot"];

export interface ModuleRun {
  /** How to start this program again. */
  readonly command: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
  /** Takes what the module itself printed: its first 64 KiB on each stream, not cleaned. */
  readonly onPrinted?: (text: string) => Promise<void>;
}

interface ModuleAnswer {
  readonly reply: ModuleReply;
  readonly printed: string;
}

type ModuleReply = { readonly types: readonly unknown[] } | { readonly fault: string };

/**
 * A module's definitions, run in a child process with an own environment, no input, and bounds on
 * time and output. Throws {@link UnusableDefinitions}.
 */
export async function runModule(file: string, run: ModuleRun): Promise<readonly unknown[]> {
  const { signal } = run;
  signal?.throwIfAborted();
  const child = Bun.spawn([...run.command, moduleWord, file], {
    env: Object.fromEntries(passedVariables.map((name) => [name, run.variables[name]])),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const limit = new TimeLimit(timeoutMs, signal);
  const stopped = Promise.withResolvers<ModuleAnswer>();
  limit.signal.addEventListener("abort", () => {
    const fault = "it did not load within 10 s";
    if (limit.expired) stopped.resolve({ reply: { fault }, printed: "" });
    else stopped.reject(signal?.reason);
  });
  try {
    const ended = Promise.all([answerOf(child), beginningOf(child.stderr)]);
    const { reply, printed } = await Promise.race([
      ended.then(([answer, errors]) => ({ ...answer, printed: answer.printed + errors })),
      stopped.promise,
    ]);
    if (printed.trim() !== "") await run.onPrinted?.(printed);
    if ("types" in reply) return reply.types;
    throw new UnusableDefinitions(reply.fault);
  } finally {
    limit.close();
    child.kill("SIGKILL");
    await child.exited;
  }
}

async function answerOf(child: {
  readonly stdout: ReadableStream<Uint8Array>;
  kill(signal: "SIGKILL"): void;
}): Promise<ModuleAnswer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of child.stdout) {
    size += chunk.byteLength;
    if (size > maximumAnswerBytes) {
      child.kill("SIGKILL");
      return { reply: { fault: "it gives more than 16 MiB of output" }, printed: "" };
    }
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  const start = text.lastIndexOf(answerMark);
  const value = start < 0 ? undefined : parsedJson(text.slice(start + answerMark.length));
  const printed = start < 0 ? text : text.slice(0, start);
  return {
    reply: isReply(value) ? value : { fault: "it exited while it was loaded" },
    printed: printed.slice(0, maximumPrintedBytes),
  };
}

/** The beginning of a stream, which is read to its end. */
async function beginningOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    if (size < maximumPrintedBytes) chunks.push(chunk.subarray(0, maximumPrintedBytes - size));
    size += chunk.byteLength;
  }
  return Buffer.concat(chunks).toString("utf8");
}

function isReply(value: unknown): value is ModuleReply {
  if (typeof value !== "object" || value === null) return false;
  if ("types" in value) return Array.isArray(value.types);
  return "fault" in value && typeof value.fault === "string";
}

/** The child's program: runs the module and writes its definitions. Resolves to the exit code. */
export async function runModuleChild(io: {
  readonly arguments: readonly string[];
  write(text: string): Promise<void>;
}): Promise<number> {
  const [file] = io.arguments;
  if (file === undefined) return 2;
  await io.write(answerMark + JSON.stringify(await load(file)));
  return 0;
}

async function load(file: string): Promise<ModuleReply> {
  provideLibrary();
  try {
    return { types: definitionsIn(await import(pathToFileURL(file).href)) };
  } catch (error) {
    return { fault: wordsOf(error) };
  }
}

/** Provides `defineObjectTypes`, so that a file runs without an installed library. */
function provideLibrary(): void {
  Bun.plugin({
    name: "svc",
    setup: (build) => {
      const defineObjectTypes = (types: unknown): unknown => types;
      // Projects of a template have the library under the short name.
      for (const name of [clientPackage, "svc"]) {
        build.module(name, () => ({ exports: { defineObjectTypes }, loader: "object" }));
      }
    },
  });
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? shortText(error.message, 300) : "it failed to load";
}
