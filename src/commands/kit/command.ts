import type {
  ArgumentDefinition,
  CommandFacts,
  CommandInput,
  OptionDefinitions,
  RunnableCommand,
} from "#cli/command.ts";
import { CatalogError, catalogError } from "#contract/errors.ts";
import type { Method } from "#contract/route.ts";
import { given } from "#lib/given.ts";
import type { Answer, RouteId } from "./answer.ts";
import type { CommandContext } from "./context.ts";
import { pageOptions, type PageOptions, type Pages } from "./output/pages.ts";

/** The routes that a command calls which takes any address. */
export type AnyRoute = `${Method | "*"} /v4/…`;

/**
 * The places where tests make a call: the embedded platform, deployments with the specification's
 * routes only, a server with one answer for each route, a project without a platform.
 */
export type TrialPlace = "embedded" | "other" | "stub" | "local";

/** A call for tests; `{name}` in it stands for what their platform has. */
export interface Trial {
  /** The words after the command's path. */
  readonly words: string;
  /** Whole calls that come first, e.g. to put a file on the record. */
  readonly after?: readonly string[];
  readonly stdin?: string;
  /** The command talks with a person at a terminal. */
  readonly isTyped?: true;
  /** It needs a route beyond the specification, although the command's answer has none. */
  readonly isAddition?: boolean;
  /** The only places for it, e.g. because it would end the caller's own access. */
  readonly at?: readonly TrialPlace[];
}

/** The parts that differ between commands of one function, one for each verb or method. */
export interface VerbFacts {
  readonly summary: string;
  readonly examples: readonly string[];
  readonly trials: readonly (string | Trial)[];
}

interface Definition<Options, Arguments, Listed> extends Omit<
  CommandFacts,
  "arguments" | "options" | "routes"
> {
  readonly arguments: Arguments;
  readonly options: Options;
  /** The platform's routes that it calls. */
  readonly calls?: readonly (RouteId | AnyRoute)[];
  /** The JSON that it prints; absent without `--format`, and for a command that only fails. */
  readonly answer?: Answer;
  /** The JSON of each line, of a command that prints one value per line. */
  readonly answerLine?: Answer;
  /** Lists pages: adds `--page`, `--limit`, `--cursor` and the further options that it names. */
  readonly pages?: Listed;
  /** Calls for tests; without them the bare call. An empty list: only its own tests run it. */
  readonly trials?: readonly (string | Trial)[];
}

type Input<Options extends OptionDefinitions, Listed> = Options &
  (Listed extends Pages ? PageOptions<Listed> : unknown);

/** A command of `svc`, as its file exports it. */
export interface Command
  extends
    RunnableCommand<CommandContext>,
    Pick<Definition<never, never, never>, "calls" | "answer" | "answerLine" | "trials"> {}

const forceOption = { type: "boolean", description: "Do not ask for confirmation" } as const;

/** Declares a command. Its file is the default export at the path that the user types. */
export function command<
  const Options extends OptionDefinitions,
  const Arguments extends readonly ArgumentDefinition[],
  const Listed extends Pages | undefined = undefined,
>(
  definition: Definition<Options, Arguments, Listed> & {
    /** The question before a loss; adds `--force`, which skips it. Undefined: nothing is lost. */
    confirms?(
      input: CommandInput<Input<Options, Listed>, Arguments>,
      context: CommandContext,
    ): string | undefined | Promise<string | undefined>;
    /** Resolves to the exit code; `undefined` is 0. Throws `CatalogError` to fail. */
    run(
      input: CommandInput<Input<Options, Listed>, Arguments>,
      context: CommandContext,
    ): Promise<number | void> | number | void;
  },
): Command {
  const { run, confirms, pages, options, ...facts } = definition;
  return {
    ...facts,
    options: allOptions(options, pages, confirms !== undefined),
    run: async (parsed, context) => {
      // The parser has checked the values against these definitions.
      const input = parsed as Parameters<typeof run>[0];
      try {
        if (confirms !== undefined && parsed.options["force"] !== true) {
          const question = await confirms(input, context);
          if (question !== undefined) {
            const { confirm } = await import("./input/confirm.ts");
            await confirm(context, question, "--force");
          }
        }
        return await run(input, context);
      } catch (error) {
        throw await withUnsetAddress(error, context);
      }
    },
  };
}

/** The options in the order of the help: those of pages come before `--columns`. */
function allOptions(
  own: OptionDefinitions,
  pages: Pages | undefined,
  asks: boolean,
): OptionDefinitions {
  const { columns, ...first } = own;
  return {
    ...(pages === undefined ? own : { ...first, ...pageOptions(pages), ...given({ columns }) }),
    ...(asks ? { force: forceOption } : {}),
  };
}

/** E002 in place of E201 when nothing named the platform, and none runs at the default address. */
async function withUnsetAddress(error: unknown, context: CommandContext): Promise<unknown> {
  if (!(error instanceof CatalogError) || error.code !== "E201") return error;
  const { baseUrl } = await context.settings();
  const { noServerWords } = await import("#client/transport/connection.ts");
  // Another failure may leave the outcome of a write unknown.
  const isSilent = error.hint?.toLowerCase().startsWith(noServerWords) ?? true;
  const isDefault = baseUrl.source === "default" && error.message.endsWith(` ${baseUrl.value}`);
  if (!isSilent || !isDefault) return error;
  const place = `the default address ${baseUrl.value}`;
  const hint = `No platform answers at ${place}: \`svc serve\` starts one`;
  return catalogError("E002", { var: "BASE_URL_PUBLIC_API" }, { hint, cause: error });
}

/** A command that fails with `code` before sign-in and network, for any words (spec 4.7). */
export function unsupportedCommand(
  path: string,
  summary: string,
  code: "RESOURCE_INDEX_APPLY_UNSUPPORTED" | "TYPES_DEFINE_UNSUPPORTED",
): Command {
  return command({
    path,
    summary,
    arguments: [{ name: "words", description: "Ignored", optional: true, variadic: true }],
    options: {},
    anyOptions: true,
    answer: ({ z }) => z.never(),
    trials: [],
    run() {
      throw catalogError(code);
    },
  });
}

/** `--dry-run` of commands that can report what they would do. */
export const dryRunOption = {
  type: "boolean",
  description: "Show what would be done, and change nothing",
} as const;
