import { describe, expect, test } from "vitest";
import { toolDomains } from "#mcp/tools.ts";
import { called, connectAgent, refusedCall } from "#test/support/agent-client.ts";
import { describePlatform, testBaseUrl, type TestPlatform } from "#test/support/platform.ts";
import type { TestUser } from "#test/support/platform.ts";
import { makeContext } from "#test/support/document-forms.ts";

function agent(
  the: TestPlatform,
  user: TestUser,
  { workspace, search }: { workspace?: string | undefined; search?: string } = {},
) {
  return connectAgent(testBaseUrl, {
    token: the.users[user].token,
    workspace,
    ...(search === undefined ? {} : { search }),
    fetch: (request) => the.platform.fetch(request),
  });
}

describePlatform("agents over HTTP", (the) => {
  test("an agent uploads a document, waits for its job, asks about it and files a record", async () => {
    const { tenant } = the().workspaces;
    const { application } = await makeContext(the());
    const client = await agent(the(), "tenant-staff", { workspace: tenant });
    const tools = (await client.listTools()).tools.map(({ name }) => name);
    expect(tools).toEqual(expect.arrayContaining(["documents_upload", "chat_send"]));

    const sent = await called(client, "documents_upload", {
      body: { processing_mode: "rag", planning_application_id: application },
      files: [
        {
          filename: "statement.txt",
          contentType: "text/plain",
          text: "The heron pond at the old mill must be drained before the first frost.",
        },
      ],
    });
    const job = await called(client, "documents_job", { jobId: sent["jobId"], waitSeconds: 30 });
    expect(job).toMatchObject({ status: "succeeded" });

    const reply = await called(client, "chat_send", {
      workflowId: "planning-assistant",
      stage: "chat",
      body: { message: "When must the heron pond be drained?" },
    });
    expect(reply).toMatchObject({
      citations: [
        { documentId: sent["documentId"], page: 1, quote: expect.stringContaining("pond") },
      ],
    });
    const filed = await called(client, "resources_create", {
      objectType: "business-request",
      body: { reference: "Drain the heron pond" },
    });
    expect(filed).toMatchObject({ type: "business-request", version: 1 });

    const [cited] = reply["citations"] as {
      documentId: string;
      span: { start: number; end: number };
    }[];
    const passage = await client.readResource({
      uri: `svc://${tenant}/documents/${cited?.documentId}/pages/1/${cited?.span.start}-${cited?.span.end}`,
    });
    expect(passage.contents[0]).toMatchObject({
      mimeType: "text/plain",
      text: expect.stringContaining("heron pond"),
    });
    const listed = await client.listResources();
    expect(listed.resources.map(({ name }) => name)).toContain("BusinessRequest");
    const record = await client.readResource({
      uri: `svc://${tenant}/records/business-request/${String(filed["id"])}`,
    });
    expect(record.contents[0]).toMatchObject({ text: expect.stringContaining("Drain the heron") });
    await client.close();
  });

  test("an agent has the rights of its caller and nothing more", async () => {
    const { tenant } = the().workspaces;
    const viewer = await agent(the(), "tenant-viewer", { workspace: tenant });
    expect(
      await refusedCall(viewer, "resources_create", { objectType: "licence", body: {} }),
    ).toMatch(/"code":"permission-denied".*"requiredRole":"tenant-staff"/);
    const outsider = await agent(the(), "outsider", { workspace: tenant });
    expect(await refusedCall(outsider, "documents_list", {})).toMatch(/"code":"not-found"/);
    await expect(outsider.readResource({ uri: `svc://${tenant}/records/licence` })).rejects.toThrow(
      /not-found/,
    );
    await expect(outsider.listResources()).rejects.toThrow(/not-found/);
    await Promise.all([viewer.close(), outsider.close()]);
  });

  test("a fault comes back with its pointer, and no secret with an answer", async () => {
    const { tenant } = the().workspaces;
    const client = await agent(the(), "tenant-admin", { workspace: tenant });
    expect(await refusedCall(client, "resources_list", { objectType: "x", limit: 0 })).toMatch(
      /#\/query\/limit/,
    );
    expect(await refusedCall(client, "resources_list", { objectType: "x", limitt: 1 })).toMatch(
      /"limitt" is not an argument of resources_list/,
    );
    const invited = await called(client, "members_invite", {
      body: { email: "new@example.org", role: "tenant-viewer", firstName: "New" },
    });
    expect(invited).toMatchObject({ secret: "[redacted]", link: "[redacted]" });
    // A record that repeats the caller's token does not carry it out.
    const { token } = the().users["tenant-admin"];
    await called(client, "objectTypes_create", {
      body: { name: "Note", slug: "note", properties: { text: { type: "text" } } },
    });
    const note = await called(client, "resources_create", {
      objectType: "note",
      body: { text: `token ${token}` },
    });
    expect(JSON.stringify(note)).toContain("token [redacted]");
    await client.close();
  });

  test("a selection offers fewer tools, and refuses the others", async () => {
    const { tenant } = the().workspaces;
    const search = "readonly=true&tools=resources";
    const client = await agent(the(), "tenant-staff", { workspace: tenant, search });
    const { tools } = await client.listTools();
    expect(tools.every(({ name }) => name.startsWith("resources_"))).toBe(true);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
    await expect(client.callTool({ name: "resources_delete", arguments: {} })).rejects.toThrow(
      /no tool "resources_delete"/,
    );
    expect(toolDomains.length).toBeGreaterThan(5);
    await client.close();
  });

  test("all tools come in pages", async () => {
    const client = await agent(the(), "tenant-viewer");
    const first = await client.request({ method: "tools/list", params: {} });
    expect(first).toHaveProperty("nextCursor");
    await expect(
      client.request({ method: "tools/list", params: { cursor: "9999" } }),
    ).rejects.toThrow(/cursor/);
    await client.close();
  });
});

describePlatform("the way to the sign-in", (the) => {
  const fetchPath = (path: string, init: RequestInit = {}) =>
    the().platform.fetch(new Request(testBaseUrl + path, init));
  const message = {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  };

  test("a request without a token, or with a wrong one, is sent to the metadata", async () => {
    const metadata = `${testBaseUrl}/.well-known/oauth-protected-resource/mcp`;
    const without = await fetchPath("/mcp", message);
    expect(without.status).toBe(401);
    expect(without.headers.get("www-authenticate")).toBe(
      `Bearer realm="svc", resource_metadata="${metadata}"`,
    );
    const headers = { ...message.headers, authorization: "Bearer eyJ.not.valid" };
    const wrong = await fetchPath("/mcp", { ...message, headers });
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get("www-authenticate")).toMatch(
      /error="invalid_token".*resource_metadata=/,
    );
  });

  test("the metadata name the resource and its authorization server", async () => {
    for (const path of ["", "/mcp"]) {
      const response = await fetchPath(`/.well-known/oauth-protected-resource${path}`);
      expect(await response.json()).toMatchObject({
        resource: `${testBaseUrl}/mcp`,
        authorization_servers: [`${testBaseUrl}/auth`],
        bearer_methods_supported: ["header"],
      });
    }
    const server = await fetchPath("/.well-known/oauth-authorization-server/auth");
    expect(await server.json()).toMatchObject({
      issuer: `${testBaseUrl}/auth`,
      code_challenge_methods_supported: ["S256"],
    });
  });

  test("other methods and other sites are refused", async () => {
    const authorization = `Bearer ${the().users["tenant-viewer"].token}`;
    expect((await fetchPath("/mcp", { headers: { authorization } })).status).toBe(405);
    const headers = { ...message.headers, authorization, origin: "https://evil.example" };
    expect((await fetchPath("/mcp", { ...message, headers })).status).toBe(403);
    expect((await fetchPath("/.well-known/other")).status).toBe(404);
    expect((await fetchPath("/mcpx")).status).toBe(404);
  });

  describe("hostile messages", () => {
    test.each(["", "[]", "null", "{", '{"jsonrpc":"1.0"}', "[".repeat(100_000)])(
      "the body %.10s is an error of the client",
      async (body) => {
        const headers = {
          ...message.headers,
          authorization: `Bearer ${the().users["tenant-viewer"].token}`,
        };
        const response = await fetchPath("/mcp", { method: "POST", headers, body });
        expect(response.status).toBeGreaterThanOrEqual(400);
        expect(response.status).toBeLessThan(500);
        expect(await response.text()).not.toMatch(/\bat \/|node_modules/);
      },
    );
  });
});
