import { expect } from "vitest";
import * as z from "zod";
import { describeCommand } from "#cli/pages/describe.ts";
import { printed } from "#commands/answers.ts";
import { commandTable } from "#commands/registry.ts";
import type { Called } from "./world.ts";

const longestFirst = commandTable.commands.toSorted(
  (one, other) => other.path.length - one.path.length,
);

/** The command that words name: the longest path that they begin with. */
export function commandNamed(words: readonly string[]) {
  const text = `${words.join(" ").replace(/^vertical /, "app ")} `;
  const command = longestFirst.find(({ path }) => text.startsWith(`${path} `));
  if (command === undefined) throw new Error(`no command is named by ${text}`);
  return command;
}

interface Promised {
  readonly exitCodes: readonly number[];
  readonly output: z.ZodType | undefined;
  readonly outputLine: z.ZodType | undefined;
  readonly error: z.ZodType;
}

const promises = new Map<string, Promised>();

/** The promises of `--describe` about a command, read back from its JSON. */
function promisedBy(words: readonly string[]): Promised {
  const command = commandNamed(words);
  const known = promises.get(command.path);
  if (known !== undefined) return known;
  const { answers, error: failure } = printed;
  const schemas = { isLines: false, ...answers[command.path], error: failure };
  const described: unknown = JSON.parse(JSON.stringify(describeCommand(command, () => schemas)));
  const {
    exitCodes,
    output,
    outputLine,
    error,
    $defs: definitions,
  } = z
    .looseObject({
      exitCodes: z.record(z.string(), z.string()),
      output: z.looseObject({}).optional(),
      outputLine: z.looseObject({}).optional(),
      error: z.looseObject({}),
      $defs: z.looseObject({}),
    })
    .parse(described);
  const validator = (schema: object | undefined): z.ZodType | undefined =>
    schema === undefined
      ? undefined
      : z.fromJSONSchema({ ...schema, $defs: definitions } as z.core.JSONSchema.JSONSchema);
  const promised = {
    exitCodes: Object.keys(exitCodes).map(Number),
    output: validator(output),
    outputLine: validator(outputLine),
    error: z.fromJSONSchema({ ...error, $defs: definitions } as z.core.JSONSchema.JSONSchema),
  };
  promises.set(command.path, promised);
  return promised;
}

/** Expects an exit code that `--describe` names, and JSON on stdout that fits its schemas. */
export function expectAsDescribed(
  words: readonly string[],
  { exitCode, stdout, stderr }: Pick<Called, "exitCode" | "stdout" | "stderr">,
): void {
  const promised = promisedBy(words);
  const said = { words: words.join(" "), exitCode, stdout, stderr };
  expect(promised.exitCodes, JSON.stringify(said)).toContain(exitCode);
  // A failure before the first line is one document.
  const isWhole = exitCode !== 0 && stdout.startsWith("{\n");
  if (promised.outputLine !== undefined && exitCode !== 2 && !isWhole) {
    for (const line of stdout
      .trimEnd()
      .split("\n")
      .filter((text) => text !== "")) {
      expectFit(said, JSON.parse(line), [promised.outputLine, promised.error]);
    }
    return;
  }
  // A result that is not a success, e.g. a check that failed, is an answer too.
  const fitting = exitCode === 0 ? [promised.output] : [promised.error, promised.output];
  expectFit(said, JSON.parse(stdout), fitting);
}

function expectFit(
  said: object,
  value: unknown,
  schemas: readonly (z.ZodType | undefined)[],
): void {
  const results = schemas.flatMap((schema) =>
    schema === undefined ? [] : [schema.safeParse(value)],
  );
  if (results.some(({ success }) => success)) return;
  const faults = results.map(({ error }) => error?.issues);
  expect.fail(`${JSON.stringify(said, null, 2)}\ndoes not fit: ${JSON.stringify(faults, null, 2)}`);
}
