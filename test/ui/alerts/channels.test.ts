import { expect, it } from "vitest";
import { keys } from "../../support/tty.ts";
import { copied, copyInForm } from "../support/copied.ts";
import { openFake } from "../support/open-fake.ts";

it("the mails of alerts are ended, muted for a time and chosen for a role", async () => {
  await using terminal = openFake({ role: "tenant-admin" });
  await terminal.waitFor("▸ licence");
  terminal.write("9");
  await terminal.waitFor("[alerts]");
  // Both keys count, however fast they are pressed.
  terminal.write("]]");
  await terminal.waitFor(/▸ yourself +at most one an hour/);
  await terminal.waitFor("ada@example.test");
  expect(await copied(terminal)).toContain("svc alert channel show");
  terminal.write("D");
  await terminal.waitFor("no alerts are mailed to yourself");
  await terminal.waitFor(/▸ yourself +none/);
  terminal.write("e");
  await terminal.waitFor("Change the mails for yourself");
  terminal.write(keys.tab);
  await terminal.type("soon");
  terminal.write(keys.ctrl("s"));
  await terminal.waitFor("must be a time such as");
  terminal.write(keys.ctrl("u"));
  await terminal.type("2099-01-04T08:00Z");
  expect(await copied(terminal, copyInForm)).toMatch(
    /svc alert channel update --muted-until 2099-01-04T08:00:00\.000Z/,
  );
  terminal.write(keys.ctrl("s"));
  await terminal.waitFor("changed the mails for yourself");
  await terminal.waitFor(/muted until +in /);
});
