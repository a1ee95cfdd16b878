import { textOption } from "#cli/command.ts";
import { nameList } from "../../kit/output/rows.ts";

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

/** The parts of the records that a read returns. */
export const selectionOptions = {
  fields: textOption("names", "Properties to return, separated by commas (default: all)"),
  expand: textOption(
    "names",
    "References to follow, and `type.reference` for records that refer to these; at most 8",
  ),
} as const;

/** The names in {@link selectionOptions}. */
export function selectionIn(options: {
  readonly fields?: string | undefined;
  readonly expand?: string | undefined;
}): { readonly fields?: readonly string[]; readonly expand?: readonly string[] } {
  const { fields, expand } = options;
  return {
    ...(fields === undefined ? {} : { fields: nameList("--fields", fields) }),
    ...(expand === undefined ? {} : { expand: nameList("--expand", expand) }),
  };
}
