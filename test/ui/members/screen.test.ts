import { describe, expect, it } from "vitest";
import { keys, type OpenedTerminal } from "../../support/tty.ts";
import { openFake, type Wish } from "../support/open-fake.ts";

/** The members place of an admin, with the second member selected. */
async function openMembers(wish: Wish = {}): Promise<OpenedTerminal> {
  const terminal = openFake({ role: "tenant-admin", ...wish });
  await terminal.waitFor("▸ licence");
  terminal.write("5");
  await terminal.waitFor("▸ ada@northwind.example");
  terminal.write("j");
  await terminal.waitFor("▸ ben@northwind.example");
  return terminal;
}

describe("members", () => {
  it("invites with a role, shows the link once, and lists the pending invitation", async () => {
    await using terminal = await openMembers();
    terminal.write("i");
    await terminal.waitFor("Invite a person");
    terminal.write(keys.paste("cleo@northwind.example"));
    terminal.write(keys.enter);
    await terminal.waitFor("The role of cleo@northwind.example");
    await terminal.type("staff");
    await terminal.waitFor("▸ tenant-staff");
    terminal.write(keys.enter);
    await terminal.waitFor("http://fake/auth/invitation?secret=once");
    terminal.write("y");
    await terminal.waitFor("copied: http://fake/auth/invitation?secret=once");
    terminal.write("]");
    await terminal.waitFor("▸ cleo@northwind.example");
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("Revoke the invitation of cleo@northwind.example");
    terminal.write("y");
    await terminal.waitFor("No invitation is pending.");
    terminal.write(keys.escape);
    await terminal.waitFor("▸ ben@northwind.example");
  });

  it("asks before the invitation of a member lowers the role", async () => {
    await using terminal = await openMembers();
    terminal.write("i");
    await terminal.waitFor("Invite a person");
    terminal.write(keys.paste("ben@northwind.example"));
    terminal.write(keys.enter);
    await terminal.waitFor("The role of ben@northwind.example");
    await terminal.type("viewer");
    await terminal.waitFor("▸ tenant-viewer");
    terminal.write(keys.enter);
    await terminal.waitFor("Is a member as tenant-staff, and becomes tenant-viewer");
  });

  it("starts the choice of a role at the member's own, which is marked", async () => {
    await using terminal = await openMembers();
    terminal.write("o");
    await terminal.waitFor("The role of ben@northwind.example");
    await terminal.waitFor("▸ ✓ tenant-viewer");
    expect(terminal.text()).toMatch(/│ {2}tenant-staff/);
  });

  it("changes the role, disables and removes after a question with the command", async () => {
    await using terminal = await openMembers();
    terminal.write("o");
    await terminal.waitFor("The role of ben@northwind.example");
    await terminal.type("staff");
    await terminal.waitFor("▸ tenant-staff");
    terminal.write(keys.enter);
    await terminal.waitFor("1 member: tenant-viewer → tenant-staff, at once");
    expect(terminal.text()).toContain("svc user role set");
    terminal.write("y");
    await terminal.waitFor("ben@northwind.example is now tenant-staff");
    terminal.write("D");
    await terminal.waitFor("Disable ben@northwind.example");
    terminal.write("y");
    await terminal.waitFor("disabled ben@northwind.example");
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("Remove ben@northwind.example");
    await terminal.waitFor(/svc user remove m2/);
    terminal.write("y");
    await terminal.waitFor("removed ben@northwind.example");
  });

  it("replaces a forgotten password, and shows the one-time one once", async () => {
    await using terminal = await openMembers();
    terminal.write("P");
    await terminal.waitFor("Replace the password of ben@northwind.example");
    await terminal.waitFor(/svc user reset-password m2/);
    terminal.write("y");
    await terminal.waitFor("Copy the one-time password of ben@northwind.example");
    await terminal.waitFor("once-and-never-again");
    terminal.write("y");
    await terminal.waitFor("copied: the one-time password of ben@northwind.example");
    expect(terminal.screen().join("\n")).not.toContain("once-and-never-again");
  });

  it("shows which role comes from a group", async () => {
    await using terminal = await openMembers();
    await terminal.waitFor(/ben@northwind\.example.* viewer by group/);
    expect(terminal.screen().join("\n")).not.toMatch(/ada@northwind\.example.*by group/);
  });

  it("shows a viewer why the keys are disabled", async () => {
    await using terminal = await openMembers({ role: "tenant-viewer" });
    terminal.write("i");
    await terminal.waitFor("needs the role tenant-admin; yours is tenant-viewer");
    expect(terminal.screen().join("\n")).not.toContain("Invite a person");
  });
});
