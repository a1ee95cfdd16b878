import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { temporaryDirectory } from "#test/support/temporary.ts";
import { failureRules } from "#ui/nouns.tsx";
import { nounOf } from "#ui/shell/platform/feed/changes.ts";
import { reportedChange } from "#ui/shell/platform/feed/failure-watch.ts";
import { openFake } from "../../../support/open-fake.ts";

const ended = "svc.document.job.completed";
const partial = "completed_with_errors";
const failedJob = (kind: string) =>
  `${ended} ${JSON.stringify({ id: kind, kind, after: { state: "failed" } })}\n`;

/** The badge of a place, in the sidebar and in the header of a narrow screen. */
const badgeOf = (place: string, badge: string) => new RegExp(`${place}[^✗\\d\n=]*${badge}`);

describe.each([
  { cols: 80, rows: 24 },
  { cols: 120, rows: 40 },
])("failures outside of jobs, at $cols x $rows", (size) => {
  const [hooks, geo] = size.cols === 80 ? ["Hook", "Geo"] : ["Webhooks", "Geo"];

  it("have badges at their places until these are opened, and lines in the log", async () => {
    const eventsAt = join(await temporaryDirectory("failures"), "events");
    await writeFile(eventsAt, "");
    await using terminal = openFake({ eventsAt }, size);
    // The endpoint that fails and the call that failed were there before.
    await terminal.waitFor(badgeOf(hooks, "2 ✗"));
    // The place of archives is listed while one has failed.
    await terminal.waitFor(badgeOf("Arch", "1 ✗"));
    expect(terminal.text()).not.toMatch(badgeOf(geo, "1 ✗"));
    await appendFile(eventsAt, failedJob("geo-report") + failedJob("app-provisioning"));
    await terminal.waitFor(badgeOf(geo, "1 ✗"));
    await terminal.waitFor(badgeOf("Apps", "\\d ✗"));
    terminal.write("@");
    await terminal.waitFor("✗  A report by place could not be made");
    await terminal.waitFor(/✗ {2}GitHub: number is required/);
    await terminal.waitFor(/✗ {2}https:\/\/slow.example.org\/svc: 3 failures in a row/);
    terminal.write("\x1b");
    await terminal.waitFor((screen) => !screen.includes("Notices and commands"));
    terminal.write("=");
    await terminal.waitFor("Archives ─");
    await terminal.waitFor((screen) => !badgeOf("Arch", "1 ✗").test(screen));
    terminal.write("8");
    await terminal.waitFor("Webhook endpoints");
    await terminal.waitFor((screen) => !badgeOf(hooks, "2 ✗").test(screen));
    expect(terminal.text()).toMatch(badgeOf(geo, "1 ✗"));
  });
});

test("who may not read a failure is asked for nothing that would be refused", async () => {
  const folder = await temporaryDirectory("failures");
  const [eventsAt, requestsTo] = [join(folder, "events"), join(folder, "requests")];
  await writeFile(eventsAt, failedJob("geo-report"));
  await using terminal = openFake(
    { eventsAt, requestsTo, role: "tenant-viewer" },
    { cols: 120, rows: 40 },
  );
  await terminal.waitFor(badgeOf("Geo", "1 ✗"));
  await expect
    .poll(async () => (await readFile(requestsTo, "utf8")).includes("/resources/health"))
    .toBe(true);
  expect(await readFile(requestsTo, "utf8")).not.toMatch(/webhooks|invitations|readiness|archives/);
  expect(terminal.text()).not.toMatch(badgeOf("Webhooks", "2 ✗"));
});

test.each([
  ["svc.alert.updated", { kind: "webhook-endpoint" }, "endpoints", true],
  ["svc.alert.updated", {}, "endpoints", true],
  ["svc.setting.updated", { kind: "webhook-endpoint" }, "endpoints", true],
  ["svc.setting.updated", { kind: "geo-report" }, "endpoints", undefined],
  ["svc.alert.updated", { kind: "deadline" }, "endpoints", undefined],
  ["svc.alert.updated", { kind: "webhook-source" }, "sources", true],
  [ended, { kind: "webhook-received", after: { state: "failed" } }, "sources", true],
  [ended, { kind: "geo-import", after: { state: "succeeded" } }, "imports of features", undefined],
  [ended, { kind: "geo-import", after: { state: "failed" } }, "imports of features", /import/],
  [ended, { kind: "geo-import", after: { state: partial } }, "imports of features", /with errors/],
  [ended, { kind: "geo-import", after: {} }, "imports of features", undefined],
  [ended, { kind: "workspace-export", after: { state: "failed" } }, "archives", true],
  [ended, { kind: "workspace-export", after: { state: partial } }, "archives", true],
  [ended, { kind: "workspace-export", after: { state: "cancelled" } }, "archives", undefined],
  [ended, { kind: "workspace-import", after: { state: partial } }, "imports of archives", /errors/],
  [ended, { kind: "field-reading", after: { state: partial } }, "reading of fields", /again/],
  [ended, { kind: "webhook-received", after: { state: partial } }, "sources", true],
  [
    ended,
    { kind: "app-provisioning", after: { state: partial } },
    "provisioning of apps",
    /errors/,
  ],
  [
    ended,
    { kind: "workspace-import", after: { state: "failed" } },
    "imports of archives",
    /import/,
  ],
  [ended, { kind: "field-reading", after: { state: "failed" } }, "reading of fields", /again/],
  ["svc.resource.updated", { objectType: "permit" }, "provisioning of apps", undefined],
  ["svc.member.updated", { changed: ["delivery"] }, "mails of invitations", true],
  ["svc.member.updated", { changed: ["role"] }, "mails of invitations", undefined],
  ["svc.workflow.updated", {}, "workflows", true],
] as const)("%s with %j is judged by the rule of %s: %s", (type, data, name, expected) => {
  const rule = failureRules.find((each) => each.name === name);
  const found = rule?.judge?.(reportedChange({ type, data }));
  if (expected !== undefined) expect(rule?.nouns).toContain(nounOf({ type }));
  if (expected instanceof RegExp) expect(found).toMatch(expected);
  else expect(found).toBe(expected);
});

test.each([
  ["svc.setting.updated", { kind: "webhook-source" }, "sources"],
  ["svc.setting.deleted", { kind: "webhook-source" }, "sources"],
  [ended, { kind: "geo-report", after: { state: "succeeded" } }, "schedules of reports"],
  ["svc.setting.deleted", { kind: "geo-report" }, "schedules of reports"],
  [ended, { kind: "workspace-export", after: { state: "succeeded" } }, "archives"],
  ["svc.member.updated", { kind: "invitation", changed: ["state"] }, "mails of invitations"],
] as const)("%s with %j may end a failure of the rule of %s alone", (type, data, name) => {
  const change = reportedChange({ type, data });
  const ending = failureRules.filter((rule) => rule.mayEnd?.(change));
  expect(ending[0]?.nouns).toContain(nounOf({ type }));
  expect(ending.map((rule) => rule.name)).toEqual([name]);
  expect(ending[0]?.judge?.(change)).toBeUndefined();
});
