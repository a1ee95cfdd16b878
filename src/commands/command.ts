import {
  textOption,
  type AnyCommand,
  type ArgumentDefinition,
  type CommandDefinition,
  type OptionDefinition,
} from "#cli/command.ts";
import { CatalogError, catalogError } from "#contract/errors.ts";
import type { CommandContext } from "./context.ts";

export function command<
  const Options extends Readonly<Record<string, OptionDefinition>>,
  const Arguments extends readonly ArgumentDefinition[],
>(definition: CommandDefinition<CommandContext, Options, Arguments>): AnyCommand<CommandContext> {
  const { run, ...facts } = definition;
  return {
    ...facts,
    run: async (input, context) => {
      try {
        // The parser has checked the values against these definitions.
        return await run(input as Parameters<typeof run>[0], context);
      } catch (error) {
        throw await withUnsetAddress(error, context);
      }
    },
  };
}

/** E002 in place of E201 when nothing named the platform, and none runs at the default address. */
async function withUnsetAddress(error: unknown, context: CommandContext): Promise<unknown> {
  if (!(error instanceof CatalogError) || error.code !== "E201") return error;
  const { baseUrl } = await context.settings();
  const { noServerWords } = await import("#client/connection.ts");
  // Another failure may leave the outcome of a write unknown.
  const isSilent = error.hint?.toLowerCase().startsWith(noServerWords) ?? true;
  const isDefault = baseUrl.source === "default" && error.message.endsWith(` ${baseUrl.value}`);
  if (!isSilent || !isDefault) return error;
  const hint = `No platform answers at the default address ${baseUrl.value}: \`svc serve\` starts one`;
  return catalogError("E002", { var: "BASE_URL_PUBLIC_API" }, { hint, cause: error });
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
