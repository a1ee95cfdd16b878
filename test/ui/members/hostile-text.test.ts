import { describeHostileText } from "../support/hostile-walk.ts";

describeHostileText([
  ["members", ["5"], "› members"],
  ["operations", ["6"], "› operations"],
  ["apps", ["7"], "› apps"],
  ["endpoints", ["8"], "› webhooks"],
  ["deliveries", ["8", "L"], "Deliveries to"],
  ["received calls", ["8", "]", "L"], "Calls from"],
  ["archives", ["="], "› archives"],
  ["alerts", ["9"], "› alerts"],
  ["alert rules", ["9", "]"], "[rules]"],
]);
