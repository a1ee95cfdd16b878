/** A command is data plus one function; parsing, help and `--describe` are computed from it. */

interface OptionBase {
  readonly description: string;
  /** One letter, without the dash. */
  readonly short?: string;
  /** Shown in help as `--name <placeholder>`. */
  readonly placeholder?: string;
  /** The replacement, which one note on stderr names. */
  readonly deprecated?: string;
  /** Other long names of the same option, e.g. `company-tenant`. */
  readonly aliases?: readonly string[];
  /** Options that can't be combined with this one. */
  readonly excludes?: readonly string[];
  /** The flag that this option requires. */
  readonly needs?: string;
}

export interface StringOption extends OptionBase {
  readonly type: "string";
  readonly values?: readonly string[];
  readonly default?: string;
  readonly required?: true;
  readonly repeatable?: true;
}
/** A string option with a placeholder in the help. */
export function textOption(placeholder: string, description: string) {
  return { type: "string", placeholder, description } as const;
}

export interface NumberOption extends OptionBase {
  readonly type: "number";
  /** Integers from `minimum` to `maximum`. */
  readonly minimum: number;
  readonly maximum: number;
  readonly default?: number;
  readonly required?: true;
}
export interface BooleanOption extends OptionBase {
  readonly type: "boolean";
  /** The option also accepts `--no-<name>`. */
  readonly negatable?: true;
  readonly default?: boolean;
}
export type OptionDefinition = StringOption | NumberOption | BooleanOption;
export type OptionDefinitions = Readonly<Record<string, OptionDefinition>>;

export interface ArgumentDefinition {
  readonly name: string;
  readonly description: string;
  readonly optional?: true;
  /** Takes all remaining words; only for the last argument. */
  readonly variadic?: true;
}

type OptionValue<Option extends OptionDefinition> = Option extends BooleanOption
  ? boolean
  : Option extends NumberOption
    ? number
    : Option extends { repeatable: true }
      ? string[]
      : Option extends { values: readonly (infer Value)[] }
        ? Value
        : string;

type AlwaysSet<Option extends OptionDefinition> = Option extends
  | { required: true }
  | { repeatable: true }
  | { default: string | number | boolean }
  ? true
  : Option extends BooleanOption
    ? Option extends { negatable: true }
      ? false
      : true
    : false;

export type OptionsInput<Options extends OptionDefinitions> = {
  readonly [
    Name in keyof Options as AlwaysSet<Options[Name]> extends true ? Name : never
  ]: OptionValue<Options[Name]>;
} & {
  readonly [
    Name in keyof Options as AlwaysSet<Options[Name]> extends true ? never : Name
  ]?: OptionValue<Options[Name]>;
};

type ArgumentValue<Argument extends ArgumentDefinition> = Argument extends { variadic: true }
  ? string[]
  : Argument extends { optional: true }
    ? string | undefined
    : string;

export type ArgumentsInput<Arguments extends readonly ArgumentDefinition[]> = {
  readonly [Argument in Arguments[number] as Argument["name"]]: ArgumentValue<Argument>;
};

export interface CommandInput<
  Options extends OptionDefinitions,
  Arguments extends readonly ArgumentDefinition[],
> {
  readonly options: OptionsInput<Options>;
  readonly arguments: ArgumentsInput<Arguments>;
  /** Names of the options that the user gave; defaults are not included. */
  readonly given: ReadonlySet<string>;
}

/** Output formats; `csv` and `ndjson` are for commands that list rows. */
export const formats = ["text", "json", "csv", "ndjson"] as const;
export type Format = (typeof formats)[number];

/** The plain data of a command, which parsing, help, completion and descriptions read. */
export interface CommandFacts {
  /** The words after `svc`, e.g. `docs upload`. */
  readonly path: string;
  readonly summary: string;
  /** Text for `--help`, below the summary. */
  readonly description?: string;
  readonly arguments: readonly ArgumentDefinition[];
  readonly options: OptionDefinitions;
  /** `false`: takes no `--format`; `rows`: also takes `--format csv|ndjson`. */
  readonly formats?: false | "rows";
  /** Members of the JSON answer that hold rows, the first one that is present: takes `ndjson`. */
  readonly rows?: readonly string[];
  /** May run another command, which then explains its own exit code. */
  readonly runsAnother?: true;
  /** Runs until it is stopped, or waits for a person: not for a caller that wants an answer. */
  readonly isServer?: true;
  /** May end with exit code 8, because something is still pending. */
  readonly waits?: true;
  /** May end with exit code 4 although it calls no route. */
  readonly signsIn?: true;
  /** Accepts unknown options, e.g. because it refuses every call with its own error. */
  readonly anyOptions?: true;
  readonly examples?: readonly string[];
  /** Platform routes that it calls, each as its method and path. */
  readonly routes?: readonly string[];
}

/** A command with its function, and without the types of its input. */
export interface RunnableCommand<Context> extends CommandFacts {
  /** Resolves to the exit code; `undefined` is 0. Throws `CatalogError` to fail. */
  run(input: ParsedInput, context: Context): Promise<number | void> | number | void;
}

export interface ParsedInput {
  readonly options: Readonly<Record<string, unknown>>;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly given: ReadonlySet<string>;
}

/** A word that groups commands, e.g. `docs`; the root help shows its summary. */
export interface CommandGroup {
  readonly path: string;
  readonly summary: string;
  /** Deprecated names of the word; one note on stderr names the new one. */
  readonly oldNames?: readonly string[];
}

/** The commands in the order of the help. */
export interface CommandTable {
  readonly groups: readonly CommandGroup[];
  readonly commands: readonly CommandFacts[];
}
