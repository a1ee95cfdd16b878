import { describe, expect, it } from "vitest";
import { keys, type OpenedTerminal } from "../../support/tty.ts";
import { copied } from "../support/copied.ts";
import { openFake } from "../support/open-fake.ts";

async function openDeliveries(size = {}): Promise<OpenedTerminal> {
  const terminal = openFake({ role: "tenant-admin" }, size);
  await terminal.waitFor("▸ licence");
  terminal.write("8");
  await terminal.waitFor("▸ https://hooks.example.org/svc");
  terminal.write("L");
  await terminal.waitFor(/Deliveries to https:\/\/hooks\.example\.org\/svc ─ 3 ─ newest first/);
  return terminal;
}

describe("the deliveries of an endpoint", () => {
  it("have the answer, and one, marked ones or all failed ones are sent again", async () => {
    await using terminal = await openDeliveries();
    await terminal.waitFor(/▸ svc\.resource\.updated +✗ failed +500/);
    await terminal.waitFor(/svc\.resource\.updated +✗ failed +no answer withi/);
    await terminal.waitFor("The first 2 KiB of the answer:");
    await terminal.waitFor("out of paper");
    await terminal.waitFor(/attempt 1 +timeout · There was no answer in 20 s/);
    await terminal.waitFor(/attempt 2 +status · The endpoint answered 503[^]*later/);
    expect(await copied(terminal)).toContain("svc webhook deliveries w-1");
    terminal.write("/");
    await terminal.waitFor("pending, delivered, failed");
    await terminal.type("lost");
    await terminal.waitFor("must be pending, delivered, failed");
    terminal.write(keys.ctrl("u"));
    await terminal.type("fail");
    terminal.write(keys.tab + keys.enter);
    await terminal.waitFor("only failed");
    await terminal.waitFor((screen) => !screen.includes("✓ delivered"));
    expect(await copied(terminal)).toMatch(/webhook deliveries w-1 --status failed/);
    terminal.write("   ");
    await terminal.waitFor("2 marked");
    terminal.write("R");
    await terminal.waitFor("Send 2 events again");
    expect(terminal.text()).toContain("svc webhook replay");
    terminal.write("y");
    await terminal.waitFor("resent 2 events");
    await terminal.waitFor("No delivery has this state.");
    terminal.write(keys.escape);
    await terminal.waitFor(/▸ svc\.resource\.updated +✓ delivered +204/);
    terminal.write("F");
    await terminal.waitFor("Send all failed deliveries to https://hooks.example.org/svc again");
    await terminal.waitFor(/svc webhook replay w-1[^]+--failed --tenant-id/);
    terminal.write("y");
    await terminal.waitFor("sending 0 events again");
    terminal.write(keys.escape);
    await terminal.waitFor("[endpoints]");
  });

  it("fit 80 columns, one pane at a time", async () => {
    await using terminal = await openDeliveries({ cols: 80, rows: 24 });
    await terminal.waitFor(/▸ svc\.resource\.updated +✗ failed/);
    expect(terminal.text()).not.toContain("out of paper");
    terminal.write(keys.enter);
    await terminal.waitFor("out of paper");
    terminal.write("R");
    await terminal.waitFor("resent 1 event");
  });
});
