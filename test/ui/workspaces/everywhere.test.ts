import { expect, it } from "vitest";
import { keys } from "../../support/tty.ts";
import { openFake } from "../support/open-fake.ts";
import { sumWords, workspaceRows } from "#ui/workspaces/everywhere.ts";

const figures = (id: string, part: object) => ({
  id,
  records: 1,
  overdue: 0,
  soon: 0,
  failedJobs: 0,
  runningJobs: 0,
  reviews: 0,
  alerts: 0,
  ...part,
});

it("shows what calls for attention first, then by path", () => {
  const all = [
    { id: "a", slug: "council" },
    { id: "b", slug: "planning", parentId: "a" },
    { id: "c", slug: "archive" },
  ];
  const known = [figures("b", { overdue: 2, alerts: 1 }), figures("a", { soon: 5 })];
  expect(workspaceRows(all, known).map(({ path }) => path)).toEqual([
    "council › planning",
    "archive",
    "council",
  ]);
  expect(sumWords(known)).toEqual(["2 records", "2 overdue", "5 due in 7 days", "1 alerts"]);
});

it("is a tab of home, from which one enters a workspace", async () => {
  await using terminal = openFake({ home: "filled", jobStatus: "failed" }, { cols: 80, rows: 24 });
  await terminal.waitFor("[home]  all workspaces");
  terminal.write("]");
  await terminal.waitFor(/┌ {2}home {2}\[all workspaces\] ─ 3/);
  await terminal.waitFor(/northwind-council › planning +2 ▲ +3 ! +1 ✗/);
  await terminal.waitFor(/\d+ records ─ \d+ overdue/);
  terminal.write("/");
  await terminal.type("licens");
  terminal.write(keys.enter);
  await terminal.waitFor("▸ northwind-council › licensing");
  terminal.write(keys.enter);
  await terminal.waitFor(/northwind-council › licensing › home/);
});
