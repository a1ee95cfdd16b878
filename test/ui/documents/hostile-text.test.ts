import { describeHostileText } from "../support/hostile-walk.ts";

describeHostileText([
  ["documents", ["2"], "› documents"],
  ["jobs", ["3"], "› jobs"],
  ["chat", ["4", "i"], "› chat"],
  ["search of documents", ["f", "\x1b[Z", "consultation"], "plans.pdf"],
]);
