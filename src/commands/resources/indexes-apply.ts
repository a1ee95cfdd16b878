import { unsupportedCommand } from "../command.ts";

export const resourcesIndexesApplyCommand = unsupportedCommand(
  "resources indexes-apply",
  "Not supported: give the plan of indexes-plan to an operator",
  "RESOURCE_INDEX_APPLY_UNSUPPORTED",
);
