import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { beforeAll, describe, expect, test } from "vitest";
import { called, refusedCall } from "#test/support/agent-client.ts";
import { userEnvironment } from "#test/support/environment.ts";
import {
  startOtherDeployment,
  type OtherDeployment,
} from "#test/support/other-deployment/deployment.ts";
import { dialects } from "#test/support/other-deployment/dialects.ts";
import { svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

beforeAll(async () => void (await svcExecutable()), 300_000);

/** `svc mcp` as an agent starts it for a deployment of another maker. */
async function startedAgent({ url, token, workspaceId }: OtherDeployment): Promise<Client> {
  const home = await temporaryDirectory("home");
  const environment = userEnvironment(home, { BASE_URL_PUBLIC_API: url, SVC_TOKEN: token });
  const client = new Client({ name: "test-agent", version: "1.0.0" });
  const transport = new StdioClientTransport({
    command: await svcExecutable(),
    args: ["mcp", "--tenant-id", workspaceId],
    env: Object.fromEntries(
      Object.entries(environment).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    ),
    cwd: home,
    stderr: "pipe",
  });
  await client.connect(transport);
  return client;
}

describe.each(dialects)("svc mcp at the deployment $name", (dialect) => {
  test("an agent lists, reads, makes and changes records, and is refused what is not there", async () => {
    const deployment = await startOtherDeployment(dialect);
    const client = await startedAgent(deployment);
    try {
      const objectType = "street-tree";
      const { items } = await called(client, "resources_list", { objectType });
      const [tree] = items as { id: string; data: { species: string } }[];
      expect(tree).toMatchObject({ id: expect.any(String), data: { species: expect.any(String) } });
      const id = tree?.id ?? "";
      expect(await called(client, "resources_get", { objectType, id })).toMatchObject({ id });
      const created = await called(client, "resources_create", {
        objectType,
        body: { species: "fir" },
      });
      expect(created).toMatchObject({ id: expect.any(String), data: { species: "fir" } });
      const body = { data: { species: "box" }, version: 1 };
      await called(client, "resources_update", { objectType, id, body });
      const [jobId = ""] = deployment.workspace.jobs.keys();
      expect(await called(client, "documents_job", { jobId })).toMatchObject({ jobId });
      expect(await refusedCall(client, "documents_list", {})).toContain("svc verify calls");
    } finally {
      await client.close();
      await deployment.close();
    }
  });
});
