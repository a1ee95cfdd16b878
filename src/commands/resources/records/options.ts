import { textOption } from "#cli/command.ts";

/** Arguments and options that several `resources` commands share. */

export const typeArgument = { name: "type", description: "Exact slug of the Object Type" } as const;

export const recordArguments = [
  typeArgument,
  { name: "id", description: "ID of the record" },
] as const;

export const fileArguments = [
  ...recordArguments,
  { name: "property", description: "File property of the Object Type" },
] as const;

export const typesOption = textOption("slugs", "Exact slugs of Object Types, separated by commas");

export function versionOption(description: string) {
  return { type: "number", minimum: 1, maximum: 2_147_483_647, description } as const;
}
