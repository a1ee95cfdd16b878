import { expect, test } from "vitest";
import { agentTools } from "#mcp/tools.ts";
import { called, connectAgent, refusedCall } from "#test/support/agent-client.ts";
import { eventually } from "#test/support/eventually.ts";
import { describePlatform, field, testBaseUrl, type TestPlatform } from "#test/support/platform.ts";
import type { TestUser } from "#test/support/platform.ts";
import { newRoot } from "../members/world.ts";
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

  test("an agent imports rows, and goes on after the last one", async () => {
    const { tenant } = the().workspaces;
    const staff = await agent(the(), "tenant-staff", {
      workspace: tenant,
      search: "tools=imports",
    });
    const start = {
      objectType: "business-request",
      body: { digest: "cd".repeat(32), filename: "requests.csv" },
    };
    const { id: importId } = await called(staff, "imports_start", start);
    const own = { objectType: "business-request", importId };
    const rowsOf = (...rows: object[]) => ({ ...own, body: { items: rows } });
    const rows = rowsOf(
      { op: "create", row: 2, data: { reference: "The second row" } },
      { op: "create", row: 3, data: { reference: 3 } },
    );
    const written = await called(staff, "imports_rows", rows);
    expect(written).toMatchObject({ succeeded: 1, failed: 1 });
    expect(await called(staff, "imports_start", start)).toMatchObject({ id: importId, row: 3 });
    expect(await called(staff, "imports_get", own)).toMatchObject({ refused: [3], created: 1 });
    expect(await refusedCall(staff, "imports_rows", rows)).toMatch(/"code":"conflict"/);
    const other = await agent(the(), "tenant-admin", { workspace: tenant });
    expect(await refusedCall(other, "imports_get", own)).toMatch(/"code":"not-found"/);
    await Promise.all([staff.close(), other.close()]);
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

  test("an agent that listens hears of changes of its resources, and never of foreign ones", async () => {
    const { tenant } = the().workspaces;
    const foreign = await newRoot(the());
    const type = {
      name: "Watched",
      slug: "watched",
      properties: { reference: { type: "string" } },
    };
    const headers = { "x-tenant-id": tenant };
    const types = "/v4/data/resources/object-types";
    const typed = await the().as("tenant-builder").post(types, type, { headers });
    expect(typed.status, typed.text).toBe(201);
    const staff = the().as("tenant-staff");
    const records = `/v4/data/resources/${tenant}/watched`;
    const made = await staff.post(records, { reference: "Watched" });
    expect(made.status, made.text).toBe(201);
    const uri = `svc://${tenant}/records/watched/${String(field(made.json, "id"))}`;
    const list = `svc://${tenant}/records/watched`;
    const viewer = await agent(the(), "tenant-viewer", { workspace: tenant });
    const heard: string[] = [];
    viewer.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      heard.push(params.uri);
    });
    for (const refused of [`svc://${foreign}/records/watched`, "svc://x/records/y"]) {
      await expect(viewer.listen({ resourceSubscriptions: [refused] })).rejects.toThrow();
    }
    const listening = await viewer.listen({ resourceSubscriptions: [uri, list] });
    expect(listening.honoredFilter).toEqual({ resourceSubscriptions: [uri, list] });
    await staff.post(records, { reference: "Another" });
    await eventually(() => expect(heard).toEqual([list]));
    const id = String(field(made.json, "id"));
    await staff.patch(`${records}/${id}`, { data: { reference: "Changed" }, version: 1 });
    await eventually(() => expect(heard).toEqual([list, list, uri]));
    await listening.close();
    expect(await listening.closed).toBe("local");
    await viewer.close();
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
    await client.close();
  });

  test("a limit that is misspelt is refused, since it would not hold", async () => {
    for (const search of ["tools=recods", "readonly=yes", "readOnly=true"]) {
      await expect(agent(the(), "tenant-viewer", { search })).rejects.toThrow(/422|validation/i);
    }
  });

  test("the list is small, and the search finds and calls every other tool", async () => {
    const { tenant } = the().workspaces;
    const client = await agent(the(), "tenant-admin", { workspace: tenant });
    const { tools } = await client.listTools();
    expect(tools.length).toBeLessThanOrEqual(25);
    expect(JSON.stringify(tools).length).toBeLessThanOrEqual(24_000);
    expect(tools.map(({ name }) => name)).not.toContain("members_invite");
    const found = await called(client, "tools_search", { query: "invite a person" });
    expect(found["tools"]).toContainEqual(
      expect.objectContaining({
        name: "members_invite",
        inputSchema: expect.objectContaining({ required: ["body"] }),
      }),
    );
    const invited = await called(client, "tools_call", {
      name: "members_invite",
      arguments: { body: { email: "found@example.org", role: "tenant-viewer", firstName: "F" } },
    });
    expect(invited).toMatchObject({ secret: "[redacted]" });
    await client.close();

    const reader = await agent(the(), "tenant-admin", {
      workspace: tenant,
      search: "readonly=true",
    });
    expect(
      (await reader.listTools()).tools.every(({ annotations: hints }) => hints?.readOnlyHint),
    ).toBe(true);
    const call = { name: "tools_call", arguments: { name: "members_invite", arguments: {} } };
    await expect(reader.callTool(call)).rejects.toThrow(/no tool "members_invite"/);
    await reader.close();
  });

  test("every answer has the shape of its tool, and lists live for an hour", async () => {
    const { tenant } = the().workspaces;
    const client = await agent(the(), "tenant-admin", { workspace: tenant, search: "tools=all" });
    expect(client.getProtocolEra()).toBe("modern");
    const listed = await client.listTools();
    // The products of the workspace may change within the hour.
    expect(listed).toMatchObject({ ttlMs: 60_000 });
    expect(listed.tools.length).toBe(agentTools.length);
    expect(await client.listResourceTemplates()).toMatchObject({ ttlMs: 3_600_000 });
    // The client refuses structured content that is not of the tool's output schema.
    const withoutArguments = listed.tools.filter(
      ({ annotations, inputSchema }) =>
        annotations?.readOnlyHint === true && (inputSchema.required ?? []).length === 0,
    );
    expect(withoutArguments.length).toBeGreaterThan(15);
    for (const { name } of withoutArguments) {
      const { structuredContent, isError } = await client.callTool({ name, arguments: {} });
      expect(structuredContent !== undefined || isError === true, name).toBe(true);
    }
    await client.close();
  });

  test("all tools come in pages", async () => {
    const client = await agent(the(), "tenant-viewer", { search: "tools=all" });
    const first = await client.request({ method: "tools/list", params: {} });
    expect(first).toHaveProperty("nextCursor");
    await expect(
      client.request({ method: "tools/list", params: { cursor: "9999" } }),
    ).rejects.toThrow(/cursor/);
    await client.close();
  });
});
