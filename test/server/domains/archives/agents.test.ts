import type { Client } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { called, connectAgent, refusedCall } from "#test/support/agent-client.ts";
import { eventually } from "#test/support/eventually.ts";
import { describePlatform, testBaseUrl, type TestUser } from "#test/support/platform.ts";
import { newRoot } from "../members/world.ts";

describePlatform("archives of workspaces for agents", (the) => {
  const agent = (user: TestUser, workspace: string): Promise<Client> =>
    connectAgent(testBaseUrl, {
      token: the().users[user].token,
      workspace,
      search: "tools=archives",
      fetch: (request) => the().platform.fetch(request),
    });
  const ended = (client: Client, tool: string, given: Record<string, unknown>) =>
    eventually(async () => {
      const state = await called(client, tool, given);
      expect(["succeeded", "completed_with_errors"]).toContain(state["status"]);
      return state;
    });

  test("an admin's agent takes one, imports it elsewhere and removes it", async () => {
    const { tenant } = the().workspaces;
    const headers = { "x-tenant-id": tenant };
    const type = { name: "Kept", slug: "kept", properties: { text: { type: "string" } } };
    const types = "/v4/data/resources/object-types";
    expect((await the().as("tenant-builder").post(types, type, { headers })).status).toBe(201);
    const records = `/v4/data/resources/${tenant}/kept`;
    expect((await the().as("tenant-staff").post(records, { text: "A note" })).status).toBe(201);

    const admin = await agent("tenant-admin", tenant);
    const { id: archiveId } = await called(admin, "archives_create", { body: {} });
    const archive = await ended(admin, "archives_get", { archiveId });
    const parts = archive["manifest"] as { parts: { name: string; count: number }[] };
    expect(parts.parts).toContainEqual(expect.objectContaining({ name: "records/kept", count: 1 }));
    const listed = await called(admin, "archives_list", {});
    expect(listed["items"]).toMatchObject([{ id: archiveId }]);
    const file = await admin.callTool({ name: "archives_content", arguments: { archiveId } });
    const base64 = file.content.flatMap((part) =>
      part.type === "resource" && "blob" in part.resource ? [part.resource.blob] : [],
    );
    expect(base64).toHaveLength(1);

    const target = await newRoot(the());
    const other = await agent("system-admin", target);
    const { id: importId } = await called(other, "archives_import", {
      file: { base64: base64[0] },
    });
    await ended(other, "archives_importJob", { importId });
    const moved = await the().as("system-admin").get(`/v4/data/resources/${target}/kept`);
    expect(moved.text).toContain("A note");
    // The archive is that of the other workspace.
    expect(await refusedCall(other, "archives_get", { archiveId })).toMatch(/"code":"not-found"/);
    await called(admin, "archives_remove", { archiveId });
    expect(await refusedCall(admin, "archives_get", { archiveId })).toMatch(/"code":"not-found"/);
    await Promise.all([admin.close(), other.close()]);
  });

  test("an agent of a lower role or of an outsider gets none", async () => {
    const { tenant } = the().workspaces;
    const builder = await agent("tenant-builder", tenant);
    const outsider = await agent("outsider", tenant);
    for (const [name, given] of [
      ["archives_create", { body: {} }],
      ["archives_list", {}],
      ["archives_import", { file: { text: "no archive" } }],
    ] as const) {
      expect(await refusedCall(builder, name, given)).toMatch(/"code":"permission-denied"/);
      expect(await refusedCall(outsider, name, given)).toMatch(/"code":"not-found"/);
    }
    await Promise.all([builder.close(), outsider.close()]);
  });
});
