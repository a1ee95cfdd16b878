import { keys } from "../../support/tty.ts";
import { describeHostileText } from "../support/hostile-walk.ts";

describeHostileText([
  ["resources", ["j", keys.enter], "› planning-application"],
  ["search", ["f", "quay"], "42 found"],
  ["workspaces", ["w"], "› workspaces"],
]);
