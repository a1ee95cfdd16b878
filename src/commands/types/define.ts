import { unsupportedCommand } from "../command.ts";

export const typesDefineCommand = unsupportedCommand(
  "types define",
  "Not supported: edit the Object Types file and seed it",
  "TYPES_DEFINE_UNSUPPORTED",
);
