import { unsupportedCommand } from "../kit/command.ts";

export default unsupportedCommand(
  "resources indexes-apply",
  "Not supported: give the plan of indexes-plan to an operator",
  "RESOURCE_INDEX_APPLY_UNSUPPORTED",
);
