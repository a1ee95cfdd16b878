import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { called, connectAgent, refusedCall } from "#test/support/agent-client.ts";
import { userEnvironment } from "#test/support/environment.ts";
import { startPlatform, svc, svcExecutable } from "#test/support/svc.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

let platform: RunningPlatform;
let home: string;
let token: string;
let workspace: string;

beforeAll(async () => {
  platform = await startPlatform({ hasSamples: true });
  home = await temporaryDirectory("home");
  token = await platform.token();
  const client = await connectAgent(platform.url, { token });
  const { items } = await called(client, "identity_tenants", {});
  workspace = (items as { slug: string; id: string }[]).find(({ slug }) => slug === "planning")!.id;
  await client.close();
});
afterAll(() => platform.stop());

const variables = () => ({ BASE_URL_PUBLIC_API: platform.url, SVC_TOKEN: token });

/** `svc mcp` as an agent starts it, with the official client at its pipes. */
async function startedAgent(
  words: readonly string[] = [],
  mode: "auto" | "legacy" = "legacy",
): Promise<Client> {
  const client = new Client(
    { name: "test-agent", version: "1.0.0" },
    { versionNegotiation: { mode } },
  );
  const transport = new StdioClientTransport({
    command: await svcExecutable(),
    args: ["mcp", "--tenant-id", workspace, ...words],
    env: Object.fromEntries(
      Object.entries(userEnvironment(home, variables())).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    ),
    cwd: home,
    stderr: "pipe",
  });
  await client.connect(transport);
  return client;
}

describe("svc mcp", () => {
  test("an agent uploads a document, waits for its job, asks about it and files a record", async () => {
    const client = await startedAgent();
    const applications = await called(client, "resources_list", {
      objectType: "planning-application",
      limit: 1,
    });
    const [application] = applications["items"] as { id: string }[];
    const sent = await called(client, "documents_upload", {
      body: { processing_mode: "rag", planning_application_id: application?.id },
      files: [
        {
          filename: "turbine.txt",
          contentType: "text/plain",
          text: "The turbine on Gannet Ridge may turn only between nine and five, to spare the bats.",
        },
      ],
    });
    const steps: number[] = [];
    const waited = await client.callTool(
      { name: "documents_job", arguments: { jobId: sent["jobId"], waitSeconds: 30 } },
      { onprogress: ({ progress }) => steps.push(progress) },
    );
    expect(waited.structuredContent).toMatchObject({ status: "succeeded" });
    const reply = await called(client, "chat_send", {
      workflowId: "planning-assistant",
      stage: "chat",
      body: { message: "When may the turbine on Gannet Ridge turn?" },
    });
    expect(reply["citations"]).toContainEqual(
      expect.objectContaining({ documentId: sent["documentId"] }),
    );
    const requests = await called(client, "resources_list", {
      objectType: "business-request",
      limit: 1,
    });
    const [request] = requests["items"] as { data: Record<string, unknown> }[];
    const filed = await called(client, "resources_create", {
      objectType: "business-request",
      body: { ...request?.data, reference: "BR-2026-9001" },
    });
    expect(filed).toMatchObject({ version: 1 });
    const { contents } = await client.readResource({
      uri: `svc://${workspace}/documents/${String(sent["documentId"])}/pages/1`,
    });
    expect(contents[0]).toMatchObject({ text: expect.stringContaining("spare the bats") });
    await client.close();
  });

  test("an agent that subscribes to a resource hears of its changes, by either revision", async () => {
    for (const mode of ["auto", "legacy"] as const) {
      const client = await startedAgent([], mode);
      const { promise, resolve } = Promise.withResolvers<string>();
      client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
        resolve(params.uri),
      );
      const uri = `svc://${workspace}/records/business-request`;
      const foreign = `svc://${crypto.randomUUID()}/records/business-request`;
      if (mode === "auto") {
        await expect(client.listen({ resourceSubscriptions: [foreign] })).rejects.toThrow();
        await client.listen({ resourceSubscriptions: [uri] });
      } else {
        await expect(client.subscribeResource({ uri: foreign })).rejects.toThrow();
        await client.subscribeResource({ uri });
      }
      const type = { objectType: "business-request" };
      const { items } = await called(client, "resources_list", { ...type, limit: 1 });
      const [{ data }] = items as [{ data: Record<string, unknown> }];
      const reference = `BR-2026-91${mode === "auto" ? "01" : "02"}`;
      await called(client, "resources_create", { ...type, body: { ...data, reference } });
      expect(await promise).toBe(uri);
      await client.close();
    }
  });

  test("a selection and the rights of the token hold", async () => {
    const client = await startedAgent(["--read-only", "--tools", "resources"]);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("resources_list");
    expect(tools.map(({ name }) => name)).not.toContain("resources_create");
    expect(await refusedCall(client, "resources_list", { objectType: "no-such-type" })).toMatch(
      /not-found/,
    );
    await client.close();
  });

  test("lines that are no messages are refused, and nothing else is on stdout", async () => {
    const initialize = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "raw", version: "1" },
      },
    };
    const lines = [
      "not json",
      "[1]",
      '{"jsonrpc":"1.0","id":"old","method":"ping"}',
      '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}',
      JSON.stringify(initialize),
      "",
    ];
    const { stdout, exitCode } = await svc(["mcp"], {
      home,
      env: variables(),
      stdin: lines.join("\n"),
    });
    expect(exitCode).toBe(0);
    const answers = stdout.trim().split("\n");
    expect(answers.map((line): unknown => JSON.parse(line))).toMatchObject([
      { jsonrpc: "2.0", id: null, error: { code: -32_700 } },
      { jsonrpc: "2.0", id: null, error: { code: -32_600 } },
      { jsonrpc: "2.0", id: "old", error: { code: -32_600 } },
      { jsonrpc: "2.0", id: null, error: { code: -32_600 } },
      { jsonrpc: "2.0", id: 1, result: { protocolVersion: "2025-06-18" } },
    ]);
    expect(stdout).not.toContain(token);
  });

  test("without a sign-in it fails at once", async () => {
    const { exitCode, stderr, stdout } = await svc(["mcp"], {
      env: { BASE_URL_PUBLIC_API: platform.url },
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: "" });
    expect(stderr).toContain("E101");
  });
});
