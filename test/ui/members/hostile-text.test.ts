import { describeHostileText } from "../support/hostile-walk.ts";

describeHostileText([
  ["members", ["5"], "› members"],
  ["operations", ["6"], "› operations"],
  ["apps", ["7"], "› apps"],
]);
