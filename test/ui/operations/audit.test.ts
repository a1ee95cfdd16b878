import { describe, expect, it } from "vitest";
import { keys } from "../../support/tty.ts";
import { openFake } from "../support/open-fake.ts";

describe("the audit log among the operations", () => {
  it("lists who did what, and only what a filter names", async () => {
    await using terminal = openFake({ role: "tenant-admin" });
    await terminal.waitFor("▸ licence");
    terminal.write("6");
    await terminal.waitFor("health");
    terminal.write("[");
    await terminal.waitFor("▸ members.setRole");
    await terminal.waitFor("refused: permission-denied");
    terminal.write("/");
    await terminal.waitFor("or a route such as");
    await terminal.type("refused");
    terminal.write(keys.enter);
    await terminal.waitFor("▸ members.remove");
    expect(terminal.text()).not.toContain("members.setRole");
    terminal.write(keys.escape);
    await terminal.waitFor("▸ members.setRole");
    terminal.write("/");
    await terminal.type("keys.create");
    terminal.write(keys.enter);
    await terminal.waitFor("No entry matches this filter.");
  });
});
