import { unsupportedCommand } from "../kit/command.ts";

export default unsupportedCommand(
  "types define",
  "Not supported: edit the Object Types file and seed it",
  "TYPES_DEFINE_UNSUPPORTED",
);
