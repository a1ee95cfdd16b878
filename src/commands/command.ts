import {
  textOption,
  type AnyCommand,
  type ArgumentDefinition,
  type CommandDefinition,
  type OptionDefinition,
} from "#cli/command.ts";
import { catalogError } from "#contract/errors.ts";
import type { CommandContext } from "./context.ts";

export function command<
  const Options extends Readonly<Record<string, OptionDefinition>>,
  const Arguments extends readonly ArgumentDefinition[],
>(definition: CommandDefinition<CommandContext, Options, Arguments>): AnyCommand<CommandContext> {
  const { run, ...facts } = definition;
  return {
    ...facts,
    // The parser has checked the values against these definitions.
    run: (input, context) => run(input as Parameters<typeof run>[0], context),
  };
}

/** A command that fails with `code` before sign-in and network, for any words (spec 4.7). */
export function unsupportedCommand(
  path: string,
  summary: string,
  code: "RESOURCE_INDEX_APPLY_UNSUPPORTED" | "TYPES_DEFINE_UNSUPPORTED",
): AnyCommand<CommandContext> {
  return command({
    path,
    summary,
    arguments: [{ name: "words", description: "Ignored", optional: true, variadic: true }],
    options: {},
    anyOptions: true,
    run() {
      throw catalogError(code);
    },
  });
}

/** `--tenant-id`, the workspace of a call; the name is kept for compatibility (spec 9.2). */
export const tenantOption = {
  ...textOption("workspace", "Workspace ID or slug (default: the selected one)"),
  aliases: ["tenant", "workspace"],
} as const;

export const dryRunOption = {
  type: "boolean",
  description: "Show what would be done, and change nothing",
} as const;
