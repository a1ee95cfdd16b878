import type {
  AnyCommand,
  ArgumentDefinition,
  CommandDefinition,
  OptionDefinition,
} from "#cli/command.ts";
import type { CommandContext } from "./context.ts";

/** Declares a command of this program; its input types follow from its options and arguments. */
export function command<
  const Options extends Readonly<Record<string, OptionDefinition>>,
  const Arguments extends readonly ArgumentDefinition[],
>(definition: CommandDefinition<CommandContext, Options, Arguments>): AnyCommand<CommandContext> {
  const { run, ...facts } = definition;
  return {
    ...facts,
    // The parser has checked the values against these very definitions.
    run: (input, context) => run(input as Parameters<typeof run>[0], context),
  };
}

/** `--tenant-id`, the workspace of a call; the name is kept for compatibility (spec 9.2). */
export const tenantOption = {
  type: "string",
  placeholder: "workspace",
  description: "Workspace ID or slug (default: the selected one)",
  aliases: ["tenant", "workspace"],
} as const;
