import { parseArgs } from "node:util";
import fc from "fast-check";
import { expect, it } from "vitest";
import { readWords } from "#cli/input/words.ts";

const options = {
  file: { type: "string", short: "f", multiple: true },
  all: { type: "boolean", short: "a", multiple: true },
  "no-color": { type: "boolean", multiple: true },
  limit: { type: "string", multiple: true },
} as const;

const parts = ["-", "--", "=", "a", "f", "b", "file", "all", "limit", "no-color", "x", "", " "];
const words = fc.array(
  fc.array(fc.constantFrom(...parts), { maxLength: 4 }).map((some) => some.join("")),
  { maxLength: 5 },
);

/** The kind of an error, and the option that it names, without dashes. */
function faultOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const unknown = /Unknown option '(?:--(?=.)|-(?=.))?([^']+)'/.exec(text)?.[1];
  if (unknown !== undefined) return `unknown ${unknown}`;
  if (text.startsWith("Option '-f' argument is ambiguous")) return "argument missing file";
  const [, name, fault] = /Option '(?:-\w, )?--([^' ]+)[^']*' (\w+ \w+)/.exec(text) ?? [];
  return `${fault === "argument is" ? "argument missing" : fault} ${name}`;
}

function outcomeOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return faultOf(error);
  }
}

it.each([true, false])("reads words as the runtime does; strict: %s", (strict) => {
  const property = fc.property(words, (args) => {
    // The runtime has no name for such an option.
    fc.pre(!args.some((word) => word.startsWith("--=")));
    const own = outcomeOf(() => {
      const { tokens, positionals } = readWords(args, options, strict);
      return { options: tokens.map(({ name, value }) => [name, value]), positionals };
    });
    const runtime = outcomeOf(() => {
      const { tokens, positionals } = parseArgs({
        args,
        options,
        strict,
        allowPositionals: true,
        tokens: true,
      });
      const found = tokens.filter((token) => token.kind === "option");
      return { options: found.map(({ name, value }) => [name, value]), positionals };
    });
    expect(own).toEqual(runtime);
  });
  fc.assert(property, { numRuns: 3_000, seed: 29 });
});

it("reads a negative number as a value, which the runtime takes for an option", () => {
  const args = ["-1.6,54.97", "--limit", "-2", "-.5", "-a"];
  expect(readWords(args, options, true)).toEqual({
    tokens: [
      { name: "limit", value: "-2" },
      { name: "all", value: undefined },
    ],
    positionals: ["-1.6,54.97", "-.5"],
  });
});
