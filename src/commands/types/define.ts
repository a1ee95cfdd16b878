import { catalogError } from "#contract/errors.ts";
import { command } from "../command.ts";

/** `svc types define`: refused before sign-in and network, whatever the words (spec 4.7). */
export const typesDefineCommand = command({
  path: "types define",
  summary: "Not supported: edit the Object Types file and seed it",
  arguments: [{ name: "words", description: "Whatever is given", optional: true, variadic: true }],
  options: {},
  anyOptions: true,
  run() {
    throw catalogError("TYPES_DEFINE_UNSUPPORTED");
  },
});
