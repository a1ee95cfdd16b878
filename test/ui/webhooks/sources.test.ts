import { describe, expect, it } from "vitest";
import { keys, type OpenedTerminal } from "../../support/tty.ts";
import { copied, copyInForm } from "../support/copied.ts";
import { openFake, type Wish } from "../support/open-fake.ts";

async function openSources(wish: Wish = {}): Promise<OpenedTerminal> {
  const terminal = openFake({ role: "tenant-admin", ...wish });
  await terminal.waitFor("▸ licence");
  terminal.write("8");
  await terminal.waitFor("[endpoints]  sources");
  terminal.write("]");
  await terminal.waitFor("[sources]");
  return terminal;
}

describe("the sources of calls from outside", () => {
  it("are created with a secret that is shown once", async () => {
    await using terminal = await openSources({ noEvents: true });
    await terminal.waitFor("c creates a source for one.");
    terminal.write("c");
    await terminal.waitFor("Create a source of calls from outside");
    await terminal.type("Stripe");
    terminal.write(keys.tab);
    await terminal.type("t");
    await terminal.waitFor("timestamped: as Stripe's");
    expect(await copied(terminal, copyInForm)).toMatch(
      /svc webhook source create Stripe --scheme timestamped/,
    );
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("Copy the secret of Stripe");
    await terminal.waitFor("whsec_shown-once");
    terminal.write("n");
    await terminal.waitFor(/▸ Stripe +● active +time and HMAC, as Stripe's +staff/);
  });

  it("have a mapping that is tried without an effect, a switch and an end", async () => {
    await using terminal = await openSources();
    await terminal.waitFor(/▸ GitHub +● active/);
    await terminal.waitFor(/header +x-hub-signature-256/);
    terminal.write("m");
    await terminal.waitFor("Try the mapping of GitHub");
    terminal.write(keys.tab);
    terminal.write(keys.paste('{"action":"opened"}'));
    expect(await copied(terminal, copyInForm)).toMatch(/webhook source test s-1 --mapping \.body/);
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("The call would have this effect:");
    await terminal.waitFor('"type": "issue"');
    terminal.write(keys.escape);
    await terminal.waitFor((screen) => !screen.includes("would have this effect"));
    terminal.write("D");
    await terminal.waitFor(/svc webhook source[^]+--no-enabled/);
    terminal.write("y");
    await terminal.waitFor(/▸ GitHub +⊘ disabled/);
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("Type GitHub to do it");
    await terminal.type("GitHub");
    terminal.write(keys.enter);
    await terminal.waitFor("deleted GitHub");
  });
});
