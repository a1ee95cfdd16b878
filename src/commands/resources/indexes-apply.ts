import { catalogError } from "#contract/errors.ts";
import { command } from "../command.ts";

/** `svc resources indexes-apply`: refused before sign-in and network (spec 4.7). */
export const resourcesIndexesApplyCommand = command({
  path: "resources indexes-apply",
  summary: "Not supported: hand the plan of indexes-plan to an operator",
  arguments: [{ name: "words", description: "Whatever is given", optional: true, variadic: true }],
  options: {},
  anyOptions: true,
  run() {
    throw catalogError("RESOURCE_INDEX_APPLY_UNSUPPORTED");
  },
});
