import { afterEach, describe, expect, test } from "vitest";
import {
  startOtherDeployment,
  type OtherDeployment,
} from "../support/other-deployment/deployment.ts";
import { dialects } from "../support/other-deployment/dialects.ts";
import { keys } from "../support/tty.ts";
import { openSvc, patient } from "../ui/support/open-dashboard.ts";

const running: OtherDeployment[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((deployment) => deployment.close()));
});

describe.each(dialects)("at the deployment $name", (dialect) => {
  test("the dashboard opens workspaces, records, documents, jobs and chat", async () => {
    const deployment = await startOtherDeployment(dialect);
    running.push(deployment);
    const env = { BASE_URL_PUBLIC_API: deployment.url, SVC_TOKEN: deployment.token };
    await using terminal = await openSvc({ env });
    const shows = async (wanted: string | ((screen: string) => boolean)): Promise<void> => {
      await terminal.waitFor(wanted, patient);
      expect(terminal.text()).not.toMatch(/✗|\bE\d{3}\b|undefined|\[object /);
    };
    await shows("harbour-parks  Parks");
    terminal.write(keys.enter);
    await shows("› home");
    await shows("PERMIT");
    terminal.write("1");
    await shows("▸ felling-permit");
    terminal.write(":");
    await terminal.waitFor("Go to, or do", patient);
    await terminal.type("street-tree");
    await terminal.waitFor("▸ street-tree", patient);
    terminal.write(keys.enter);
    // Every page, also where the deployment sends few records in each and defines no properties.
    const trees = [/▸ yew\b/, /\blime\b/, /\bash\b/, /\boak\b/, /\belm\b/, /\bstreet-tree ─ 5 ─/];
    await shows((screen) => trees.every((tree) => tree.test(screen)));
    expect(terminal.text()).toMatch(/SPECIES +HEIGHT/);
    terminal.write(keys.enter);
    await shows("] next tab");
    expect(terminal.text()).toContain("species");
    terminal.write(keys.escape);
    // At once, the terminal would take both for one key: Alt and 2.
    await shows("↵ open");
    terminal.write("2");
    await shows("This platform does not list documents.");
    terminal.write("3");
    await shows("This platform does not list jobs.");
    terminal.write("4");
    await shows("Ask something about the documents of this workspace.");
  });
});
