import type { Environment } from "../environment.ts";
import { inputError, usageError } from "../errors.ts";

/** Turns JSON values into the text of `--jq` or `--template`; several values are rows. */
export interface Projection {
  text(values: readonly unknown[]): Promise<string>;
}

/**
 * `--jq`: results one per line; strings without quotes, other values as compact JSON. Throws E305
 * with exit code 2 for a query that does not compile, before anything is asked.
 */
export async function jqProjection(
  query: string,
  { atDefaultSignals }: Pick<Environment, "atDefaultSignals">,
): Promise<Projection> {
  const { raw } = await import("jq-wasm");
  // Parentheses keep the query whole; the line end closes a comment in it.
  const whole = `(${query}\n)`;
  const compiled = await failureOf(raw("null", `empty | ${whole}`));
  if (compiled !== undefined) throw usageError(`--jq: ${compiled}`);
  // First and last output for each value; an error leaves out the last one.
  const marker = crypto.randomUUID();
  const [begins, ends] = [`begin ${marker}`, `end ${marker}`];
  const evaluate = async (values: readonly unknown[]): Promise<string> => {
    const input = values.map((value) => JSON.stringify(value)).join("\n");
    if (input === "") return "";
    const marked = `"${begins}", ${whole}, "${ends}"`;
    const output = await raw(input, marked, ["-r", "-c"]);
    const lines = `${output}\n`.split(`${begins}\n`).slice(1);
    const results = lines.map((text) => text.split(`${ends}\n`));
    const isComplete =
      results.length === values.length && results.every((parts) => parts.length === 2);
    if (isComplete) return results.map(([text]) => text).join("");
    const reason = await failureOf(raw(input, `${whole} | empty`));
    throw inputError(`--jq: ${reason ?? "the query did not end"}`);
  };
  // The engine does not return to the event loop, so that only the system can stop a long query.
  return { text: (values) => atDefaultSignals?.(() => evaluate(values)) ?? evaluate(values) };
}

/** The engine's message about a failed call, on one line; undefined for a call that succeeds. */
async function failureOf(call: Promise<string>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const [line = words] = words.replace(/^Failed to execute raw query: /, "").split("\n");
    return line
      .replace(/^jq: error(?: \(at [^)]*\))?: /, "")
      .replace(/ \(Unix shell.*$| at <top-level>.*$/, "")
      .trim();
  }
}

const templateLimits = { parseLimit: 100_000, memoryLimit: 100_000_000 };
const longestRenderMs = 10_000;

/**
 * `--template`: a Liquid template over the members of the value; `it` is the value itself. `\n` and
 * `\t` are a line end and a tab. Throws E305 with exit code 2 for a template that can't be parsed.
 */
export async function templateProjection(
  source: string,
  { renderMs = longestRenderMs }: { readonly renderMs?: number } = {},
): Promise<Projection> {
  const { Liquid } = await import("liquidjs");
  const engine = new Liquid({
    ...templateLimits,
    renderLimit: renderMs,
    templates: {},
    strictFilters: true,
    // A misspelt member would print nothing. `if` and `default` may name a member that is absent.
    strictVariables: true,
    lenientIf: true,
    ownPropertyOnly: true,
  });
  const unescaped = source.replaceAll(/\\([nt\\])/g, (_whole, letter: string) =>
    letter === "n" ? "\n" : letter === "t" ? "\t" : "\\",
  );
  let template: ReturnType<typeof engine.parse>;
  try {
    template = engine.parse(unescaped);
  } catch (error) {
    throw usageError(`--template: ${wordsOf(error)}`);
  }
  const render = async (value: unknown): Promise<string> => {
    const members = typeof value === "object" && value !== null ? value : {};
    let text: unknown;
    try {
      text = await engine.render(template, { ...members, it: value });
    } catch (error) {
      const words = wordsOf(error);
      if (!words.startsWith("undefined variable")) throw inputError(`--template: ${words}`);
      const known = Object.keys(members).join(", ") || "no members";
      const hint = `The answer has ${known}; add \`| default: ""\` where one may be absent`;
      throw inputError(`--template: ${words}`, hint);
    }
    return typeof text !== "string" || text === "" || text.endsWith("\n")
      ? String(text)
      : `${text}\n`;
  };
  return { text: async (values) => (await Promise.all(values.map(render))).join("") };
}

function wordsOf(error: unknown): string {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return line;
}
