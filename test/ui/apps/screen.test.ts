import { describe, expect, it } from "vitest";
import { keys, type OpenedTerminal } from "../../support/tty.ts";
import { openFake, type Wish } from "../support/open-fake.ts";

async function openApps(wish: Wish = {}): Promise<OpenedTerminal> {
  const terminal = openFake({ role: "tenant-admin", ...wish });
  await terminal.waitFor("▸ licence");
  terminal.write("7");
  await terminal.waitFor("[apps]  workflows");
  await terminal.waitFor("▸ planning-portal");
  return terminal;
}

describe("the apps of a workspace", () => {
  it("are provisioned after a question, and the steps are a timeline with the reason", async () => {
    await using terminal = await openApps();
    await terminal.waitFor("P provisions it, step by step.");
    terminal.write("P");
    await terminal.waitFor("Provision Planning portal");
    await terminal.waitFor(/svc app provision[ │]+\n.*planning-portal --tenant-id/);
    terminal.write("y");
    await terminal.waitFor("the provisioning of planning-portal is job job-planning-portal");
    await terminal.waitFor(/✓ enrollment +succeeded +\d\d:00:01 ━+ +2\.0 s/);
    await terminal.waitFor(/✗ storage +failed +\d\d:00:05 +━+ +2\.0 s/);
    await terminal.waitFor("The storage of this workspace is full");
    await terminal.waitFor(/· activation +pending/);
    terminal.write("y");
    await terminal.waitFor(/svc app provision planning-portal --job-id job-planning-portal/);
  });

  it("are enrolled by a form, and the new one is selected", async () => {
    await using terminal = await openApps();
    terminal.write("c");
    await terminal.waitFor("Enroll an app");
    terminal.write(keys.paste("Permit desk"));
    await terminal.waitFor(/key \* +permit-desk/);
    terminal.write(keys.tab);
    terminal.write(keys.ctrl("u"));
    await terminal.type("Permit");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("must be in kebab-case");
    terminal.write(keys.ctrl("u"));
    await terminal.type("permit-desk");
    terminal.write(keys.ctrl("s"));
    await terminal.waitFor("enrolled permit-desk");
    await terminal.waitFor("▸ permit-desk");
  });

  it("can not be provisioned for a reason that the platform gives", async () => {
    await using terminal = await openApps({ refusing: true });
    await terminal.waitFor("c enroll an app");
    terminal.write("P");
    await terminal.waitFor("provision: needs the permission apps.provision");
    expect(terminal.text()).not.toContain("P provision ");
  });

  it("fit 80 columns, one pane at a time", async () => {
    await using terminal = openFake({}, { cols: 80, rows: 24 });
    await terminal.waitFor("▸ licence");
    terminal.write("7");
    await terminal.waitFor("▸ planning-portal");
    expect(terminal.text()).not.toContain("runs in  ");
    terminal.write(keys.enter);
    await terminal.waitFor(/runs in +this workspace/);
    terminal.write(keys.escape);
    await terminal.waitFor("▸ planning-portal");
  });
});

describe("the workflows of a workspace", () => {
  it("are listed with their readiness and the reason, and requested with a purpose", async () => {
    await using terminal = await openApps();
    terminal.write("]");
    await terminal.waitFor("[workflows]");
    await terminal.waitFor(/▸ planning-assistant +✓ yes +● available/);
    await terminal.waitFor(/licence-checker +✗ no +◌ operator required +No operator has set up/);
    terminal.write("a");
    await terminal.waitFor("request it: this workflow is available already");
    terminal.write("j");
    await terminal.waitFor("▸ licence-checker");
    await terminal.waitFor("a asks the operators for it.");
    await terminal.waitFor(/request +none is open/);
    terminal.write("a");
    await terminal.waitFor("Request the workflow licence-checker");
    terminal.write(keys.paste("licences expire in spring"));
    terminal.write(keys.enter);
    await terminal.waitFor("requested licence-checker: accepted");
    await terminal.waitFor(/request +\S+ ago/);
  });

  it("can be requested before they are configured, and stay in the list", async () => {
    await using terminal = await openApps();
    terminal.write("]");
    await terminal.waitFor("▸ planning-assistant");
    terminal.write("c");
    await terminal.waitFor("The key of the workflow");
    terminal.write(keys.paste("appeal-assistant"));
    terminal.write(keys.enter);
    await terminal.waitFor("Request the workflow appeal-assistant");
    terminal.write(keys.paste("appeals"));
    terminal.write(keys.enter);
    await terminal.waitFor("▸ appeal-assistant");
    await terminal.waitFor("No operator has set up appeal-assistant");
  });

  it("can be requested without a purpose", async () => {
    await using terminal = await openApps();
    terminal.write("]");
    await terminal.waitFor("▸ planning-assistant");
    terminal.write("c");
    await terminal.waitFor("The key of the workflow");
    terminal.write(keys.enter);
    terminal.write(keys.paste("fee-assistant"));
    terminal.write(keys.enter);
    await terminal.waitFor("it may stay empty");
    terminal.write(keys.enter);
    await terminal.waitFor("requested fee-assistant: accepted");
  });
});
