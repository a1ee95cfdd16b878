import { describe, expect, it } from "vitest";
import { keys, type OpenedTerminal } from "../../support/tty.ts";
import { copied, copyInForm } from "../support/copied.ts";
import { openFake, type Wish } from "../support/open-fake.ts";

const small = { cols: 80, rows: 24 };

async function openEndpoints(wish: Wish = {}, size = {}): Promise<OpenedTerminal> {
  const terminal = openFake({ role: "tenant-admin", ...wish }, size);
  await terminal.waitFor("▸ licence");
  terminal.write("8");
  await terminal.waitFor("[endpoints]  sources");
  return terminal;
}

describe("the webhook endpoints of a workspace", () => {
  it("show their health, and are changed by their keys", async () => {
    await using terminal = await openEndpoints();
    await terminal.waitFor(/▸ https:\/\/hooks\.example\.org\/svc +● active +all +viewer/);
    await terminal.waitFor(/https:\/\/slow\.example\.org\/svc +▲ 3 failures in a row/);
    await terminal.waitFor(/public key +whpk_public/);
    expect(await copied(terminal)).toContain("svc webhook show w-1 --tenant-id");
    terminal.write("t");
    await terminal.waitFor("test of https://hooks.example.org/svc: delivered, 200 after 12 ms");
    terminal.write("D");
    await terminal.waitFor("Disable https://hooks.example.org/svc");
    await terminal.waitFor(/svc webhook update w-1[^]+--disable --tenant-id/);
    terminal.write("y");
    await terminal.waitFor(/▸ https:\/\/hooks\.example\.org\/svc +▲ disabled/);
    terminal.write("e");
    await terminal.waitFor("Change https://hooks.example.org/svc");
    terminal.write(keys.tab);
    await terminal.type("permits");
    expect(await copied(terminal, copyInForm)).toMatch(/webhook update w-1 --description permits/);
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("changed https://hooks.example.org/svc");
    await terminal.waitFor(/purpose +permits/);
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("Delete https://hooks.example.org/svc");
    terminal.write("y");
    await terminal.waitFor("▸ https://slow.example.org/svc");
  });

  it("are created, and a secret is shown once", async () => {
    await using terminal = await openEndpoints({ noEvents: true });
    await terminal.waitFor("c creates one.");
    terminal.write("c");
    await terminal.waitFor("Create a webhook endpoint");
    await terminal.type("hooks.example.org");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("must be an http or https URL");
    terminal.write(keys.ctrl("u"));
    terminal.write(keys.paste("https://hooks.example.org/new"));
    terminal.write(keys.tab + keys.tab);
    terminal.write(keys.paste("record\ndocument"));
    expect(await copied(terminal, copyInForm)).toMatch(
      /svc webhook create https:\/\/hooks\.example\.org\/new --kind record --kind document/,
    );
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("Copy the secret of https://hooks.example.org/new");
    await terminal.waitFor("whsec_shown-once");
    terminal.write("y");
    await terminal.waitFor("copied: the secret of https://hooks.example.org/new");
    await terminal.waitFor(/▸ https:\/\/hooks\.example\.org\/new +● active +record, document/);
    expect(terminal.text()).not.toContain("whsec_shown-once");
    terminal.write("S");
    await terminal.waitFor("works for");
    await terminal.type("3");
    await terminal.waitFor("▸ 3 days");
    terminal.write(keys.enter);
    await terminal.waitFor("the former secret works too for 3 days");
    await terminal.waitFor("svc webhook rotate");
    terminal.write("y");
    await terminal.waitFor("whsec_shown-once");
  });

  it("tell a viewer why the keys are disabled", async () => {
    await using terminal = await openEndpoints({ role: "tenant-viewer", noEvents: true });
    await terminal.waitFor("create an endpoint: needs the role tenant-admin");
    terminal.write("c");
    await terminal.waitFor("· create an endpoint: needs the role tenant-admin");
  });

  it("fit 80 columns, with all places in the header", async () => {
    await using terminal = await openEndpoints({}, small);
    await terminal.waitFor(/▸ https:\/\/hooks\.example\.org\/svc +● active/);
    const [, places = ""] = terminal.screen();
    expect(places).toMatch(/^ 0 Home 1 Recs .* 6 Ops 7 Apps\[8 Hook\] 9 Alert 2 - Geo$/);
    terminal.write(keys.enter);
    await terminal.waitFor(/health +● active/);
    terminal.write("?");
    await terminal.waitFor(/S +rotate the secret/);
  });
});
