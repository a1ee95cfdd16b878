import { recordArguments } from "../options.ts";

/** What every `resources file` command names. */
export const fileArguments = [
  ...recordArguments,
  { name: "property", description: "File property of the Object Type" },
] as const;
