import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../support/temporary.ts";
import { openRecords } from "../support/open-fake.ts";

const listPath = "/planning-application\n";
/** A polled list is asked again in this time. */
const periodMs = 5_500;

describe("a platform with a stream of changes", () => {
  it("is not polled: a change refreshes what it is about, and an alert gets a badge", async () => {
    const directory = await temporaryDirectory("stream");
    const [eventsAt, newcomerWhile, requestsTo] = ["events", "newcomer", "log"].map((name) =>
      join(directory, name),
    );
    if (eventsAt === undefined || newcomerWhile === undefined || requestsTo === undefined) return;
    await writeFile(eventsAt, "");
    await writeFile(requestsTo, "");
    const asked = async () => (await readFile(requestsTo, "utf8")).split(listPath).length;
    await using terminal = await openRecords({
      eventsAt,
      newcomerWhile,
      requestsTo,
      jobStatus: "succeeded",
    });
    await terminal.waitFor("● live");
    await terminal.waitForQuiet(500);
    expect(terminal.text()).not.toContain("polls");
    await writeFile(newcomerWhile, "");
    const before = await asked();
    const written = terminal.bytesWritten();
    await Bun.sleep(periodMs);
    expect(await asked()).toBe(before);
    expect(terminal.bytesWritten()).toBe(written);
    await appendFile(eventsAt, "svc.resource.created\n");
    await terminal.waitFor("PA-2027-00001");
    await terminal.waitFor(/9 Alerts +2/);
    await appendFile(eventsAt, "svc.alert.raised\n");
    await terminal.waitFor(/9 Alerts +3/);
  });

  it("is polled where it has none, and the header says so", async () => {
    await using terminal = await openRecords();
    await terminal.waitFor(/● live .* · polls/);
  });
});
