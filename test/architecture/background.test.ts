import { expect, test } from "vitest";
import { codeOf, holds, offences, product } from "./rules.ts";

const server = product.filter(({ path }) => path.startsWith("src/server/"));
const helper = "src/server/kit/background.ts";
const others = server.filter(({ path }) => path !== helper);

/** Assignments that keep a promise in a field, a variable or a map of one file. */
function keptWithoutHelper(text: string): string[] {
  const code = codeOf(text);
  const found: string[] = [];
  const names = code.matchAll(/(?:readonly |let )?(#?\w+)(?:\?)?: Promise<[^=;()]*(?:;| = )/g);
  for (const [, name = ""] of names) {
    const target = name.startsWith("#") ? `this\\.${name}` : `\\b\\w*\\.?${name}`;
    const assigned = new RegExp(
      `(?:${target}) (?:\\?\\?)?= (?!undefined|keptPromise\\(|=)[^;]{0,60}`,
      "g",
    );
    for (const [each] of code.matchAll(assigned)) found.push(each);
  }
  const maps = code.matchAll(/(#\w+)(?:: [^=;]*)? = new \w+<[^;]*?, Promise<[^;]*>\(/g);
  for (const [, name = ""] of maps) {
    const set = new RegExp(`this\\.${name}\\.set\\([^,]+, (?!keptPromise\\()[^;]{0,60}`, "g");
    for (const [each] of code.matchAll(set)) found.push(each);
  }
  return found;
}

/** Ways to start work whose failure no code sees. */
function startedUnseen(text: string): string[] {
  const code = codeOf(text);
  const discarded = [...code.matchAll(/\bvoid (?!\(await\b)[\w(][^;]{0,60}/g)].filter(
    // A type, or a word of a text.
    ([each], at, all) => /^void [\w.#(]+[(.]/.test(each) && all.length > at,
  );
  const timers = code.matchAll(
    /(?:setTimeout|setInterval|setImmediate|queueMicrotask|addEventListener|\.on)\([^;{]{0,40}async\b/g,
  );
  return [...discarded, ...timers].map(([each]) => each);
}

test("the platform starts work in the background with one helper", () => {
  const found = offences(others, ({ text }) => startedUnseen(text));
  holds("background work has a helper", found);
});

test("the platform keeps promises with one helper", () => {
  const found = offences(others, ({ text }) => keptWithoutHelper(text));
  holds("kept promises have a helper", found);
});

test("the rules find what they are for", () => {
  expect(startedUnseen("void this.#poll();")).toHaveLength(1);
  expect(startedUnseen("setTimeout(async () => {}, 1);")).toHaveLength(1);
  expect(startedUnseen("setInterval(() => void run(), 1);")).toHaveLength(1);
  expect(startedUnseen("run: async () => void (await all()),")).toEqual([]);
  const field = "class A { #running: Promise<void> | undefined;";
  expect(keptWithoutHelper(`${field} a() { this.#running ??= this.#run(); }`)).toHaveLength(1);
  expect(keptWithoutHelper(`${field} a() { this.#running = keptPromise(run()); }`)).toEqual([]);
  const map = "class A { readonly #open = new Map<string, Promise<void>>();";
  expect(keptWithoutHelper(`${map} a() { this.#open.set(name, run()); }`)).toHaveLength(1);
});

test("the lint of the platform accepts no promise that is discarded", async () => {
  const { overrides } = (await Bun.file(".oxlintrc.json").json()) as {
    overrides: { files: string[]; rules: Record<string, unknown> }[];
  };
  const rules = overrides.find(({ files }) => files.includes("src/server/**"))?.rules;
  expect(rules).toMatchObject({
    "typescript/no-floating-promises": ["error", { ignoreVoid: false }],
    "typescript/no-misused-promises": ["error", { checksVoidReturn: { arguments: true } }],
  });
});
