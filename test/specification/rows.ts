/** One row of the specification, with the tests that hold the product to it. */
export interface SpecifiedRow {
  /** The part of the specification: `4.7`, `6`, `7.1`, `7.3` or `8`. */
  readonly part: string;
  readonly name: string;
  /** The row's figures: options with their defaults, a message, a limit. */
  readonly figures: string;
  /** Names as `namedTests` gives them. */
  readonly tests: readonly string[];
}

/** A row about a command. Options are `--name`, `--name!` if required, `--name=default`. */
export interface CommandRow extends SpecifiedRow {
  /** The path and its words: `init [name]`, `resources get <type> <id>`. */
  readonly name: string;
  readonly routes: readonly string[];
}

/** Names of tests in one file below `test`. */
export function inFile(file: string, ...names: readonly string[]): readonly string[] {
  return names.map((name) => `${file}.test.ts > ${name}`);
}

export function commandRow(
  name: string,
  figures: string,
  tests: readonly string[],
  ...routes: readonly string[]
): CommandRow {
  return { part: "4.7", name, figures, tests, routes };
}

/** Runs each command with `--tenant-id` and `--workspace`. */
export const workspaceTest = inFile(
  "commands/every-command",
  "another user's workspace > svc %s",
)[0] as string;
