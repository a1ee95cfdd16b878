import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../support/temporary.ts";
import { keys, type OpenedTerminal } from "../../support/tty.ts";
import { openFake, type Wish } from "../support/open-fake.ts";

/** The API keys, the last tab of the members. */
async function openApiKeys(wish: Wish = {}): Promise<OpenedTerminal> {
  const terminal = openFake({ role: "tenant-admin", ...wish });
  await terminal.waitFor("▸ licence");
  terminal.write("5");
  await terminal.waitFor("[members]  invitations   API keys");
  await terminal.waitFor("▸ ada@northwind.example");
  terminal.write("[");
  await terminal.waitFor("[API keys]");
  return terminal;
}

async function create(terminal: OpenedTerminal): Promise<void> {
  terminal.write("c");
  await terminal.waitFor("Create an API key");
  terminal.write(keys.paste("nightly import"));
  terminal.write(keys.enter);
  await terminal.waitFor("The role of nightly import");
  await terminal.type("staff");
  await terminal.waitFor("▸ tenant-staff");
  terminal.write(keys.enter);
  await terminal.waitFor("The life of nightly import");
  terminal.write(keys.enter);
  await terminal.waitFor("svc_shown-once");
}

describe("the API keys of a workspace", () => {
  it("are created with a role and an end, and the token is shown once", async () => {
    await using terminal = await openApiKeys();
    await terminal.waitFor("No API key has access to this workspace.");
    await terminal.waitFor("c creates one, for a script.");
    await create(terminal);
    terminal.write("y");
    await terminal.waitFor("copied: the token of nightly import");
    await terminal.waitFor(/▸ nightly import +staff +● active +never/);
    expect(terminal.raw()).toContain(Buffer.from("svc_shown-once").toString("base64"));
    expect(terminal.text()).not.toContain("svc_shown-once");
    terminal.write(keys.escape);
    await terminal.waitFor("[members]");
  });

  it("are kept or revoked when their maker is removed", async () => {
    await using terminal = await openApiKeys();
    await terminal.waitFor("No API key has access");
    await create(terminal);
    terminal.write("n");
    await terminal.waitFor("▸ nightly import");
    terminal.write(keys.escape);
    await terminal.waitFor("▸ ada@northwind.example");
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("Remove ada@northwind.example");
    expect(terminal.screen().join("\n")).not.toContain("nightly import");
    terminal.write("n");
    terminal.write("j");
    await terminal.waitFor("▸ ben@northwind.example");
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor(/▸ revoke 1 API key +nightly import/);
    await terminal.type("keep");
    await terminal.waitFor("▸ keep 1 API key");
    terminal.write(keys.enter);
    await terminal.waitFor("keeps the key nightly import");
    await terminal.waitFor(/svc user remove m2 --keys/);
    terminal.write("y");
    await terminal.waitFor("removed ben@northwind.example");
  });

  it("are revoked after a question with the command, and then no longer", async () => {
    await using terminal = await openApiKeys();
    await terminal.waitFor("No API key has access");
    await create(terminal);
    terminal.write("n");
    await terminal.waitFor("▸ nightly import");
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("Revoke the key nightly import");
    await terminal.waitFor(/svc key revoke k-0/);
    terminal.write("y");
    await terminal.waitFor(/▸ nightly import +staff +⊘ revoked/);
    terminal.write(keys.ctrl("d"));
    await terminal.waitFor("revoke: this key is revoked already");
  });

  it("tell a viewer why the keys are disabled", async () => {
    await using terminal = await openApiKeys({ role: "tenant-viewer" });
    await terminal.waitFor("create a key: needs the role tenant-admin; yours is tenant-viewer");
    terminal.write("c");
    await terminal.waitFor("· create a key: needs the role tenant-admin");
  });

  it("show why they did not load, and stay with their age when the platform is gone", async () => {
    const downWhile = join(await temporaryDirectory("down"), "there");
    await using terminal = await openApiKeys({ downWhile });
    await terminal.waitFor("No API key has access");
    await create(terminal);
    terminal.write("n");
    await terminal.waitFor("▸ nightly import");
    await writeFile(downWhile, "");
    terminal.write("r");
    await terminal.waitFor(/▲ updated .*: /);
    expect(terminal.text()).toContain("▸ nightly import");
    terminal.write("[");
    await terminal.waitFor("[invitations]");
    await terminal.waitFor("✗ E");
  });
});
