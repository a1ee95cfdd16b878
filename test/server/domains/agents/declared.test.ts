import { expect, test } from "vitest";
import { called, connectAgent, refusedCall } from "#test/support/agent-client.ts";
import { eventually } from "#test/support/eventually.ts";
import { describePlatform, testBaseUrl, type TestPlatform } from "#test/support/platform.ts";
import type { TestUser } from "#test/support/platform.ts";
import { enroll, enrolledPortal } from "../verticals/portal.ts";

function agent(the: TestPlatform, user: TestUser, search?: string) {
  return connectAgent(testBaseUrl, {
    token: the.users[user].token,
    workspace: the.workspaces.tenant,
    ...(search === undefined ? {} : { search }),
    fetch: (request) => the.platform.fetch(request),
  });
}

describePlatform("declared routes as tools", (the) => {
  test("are created, read, listed and changed by their names, with the caller's rights", async () => {
    await enrolledPortal(the());
    const staff = await agent(the(), "tenant-staff", "tools=default,verticals");
    const { tools } = await staff.listTools();
    const own = tools.filter(({ name }) => name.startsWith("vertical_portal_"));
    expect(own.map(({ name }) => name.slice("vertical_portal_".length))).toEqual([
      "getEntries",
      "getEntriesNumber",
      "postEntries",
      "putEntriesNumber",
      "patchEntriesNumber",
      "deleteEntriesNumber",
      "postEntriesNumberClosing",
      "postQuestions",
    ]);
    expect(own[2]).toMatchObject({
      description: "POST entries of Portal.",
      inputSchema: {
        required: ["body"],
        properties: { body: { required: ["number"], additionalProperties: false } },
      },
      annotations: { readOnlyHint: false, destructiveHint: false },
    });
    const number = "AGENT-1";
    await called(staff, "vertical_portal_postEntries", { body: { number, label: "one" } });
    const read = await called(staff, "vertical_portal_getEntriesNumber", { number });
    expect(read).toMatchObject({ data: { number, label: "one" } });
    const where = { number };
    const listed = await called(staff, "vertical_portal_getEntries", { where, limit: 5 });
    expect(listed).toMatchObject({ items: [{ data: { number } }] });
    await called(staff, "vertical_portal_patchEntriesNumber", { number, body: { label: "two" } });
    // The tool of the contract reaches the same route by its path.
    const path = { product: "portal", path: `entries/${number}` };
    const byPath = await called(staff, "tools_call", { name: "verticals_read", arguments: path });
    expect(byPath).toMatchObject({ data: { label: "two" } });
    for (const [given, words] of [
      [{ body: {} }, /number/],
      [{ body: { number: "x" }, more: 1 }, /"more" is not an argument of vertical_portal_post/],
    ] as const) {
      expect(await refusedCall(staff, "vertical_portal_postEntries", given)).toMatch(words);
    }
    const slash = { number: "a/b" };
    expect(await refusedCall(staff, "vertical_portal_getEntriesNumber", slash)).toMatch(/segment/);
    const viewer = await agent(the(), "tenant-viewer");
    const body = { number: "AGENT-2" };
    expect(await refusedCall(viewer, "vertical_portal_postEntries", { body })).toMatch(
      /permission-denied/,
    );
    await Promise.all([staff.close(), viewer.close()]);
  });

  test("are found by the search, and limited by a selection", async () => {
    await enrolledPortal(the());
    const staff = await agent(the(), "tenant-staff");
    const usual = (await staff.listTools()).tools.map(({ name }) => name);
    expect(usual.filter((name) => name.startsWith("vertical_"))).toEqual([]);
    const found = await called(staff, "tools_search", { query: "portal closing" });
    expect(found["tools"]).toContainEqual(
      expect.objectContaining({ name: "vertical_portal_postEntriesNumberClosing" }),
    );
    await staff.close();
    for (const [search, names] of [
      [
        "readonly=true&tools=verticals",
        ["vertical_portal_getEntries", "vertical_portal_getEntriesNumber"],
      ],
      ["tools=resources", []],
    ] as const) {
      const limited = await agent(the(), "tenant-staff", search);
      const { tools } = await limited.listTools();
      const own = tools.map(({ name }) => name).filter((name) => name.startsWith("vertical_"));
      expect(own).toEqual(names);
      const call = { name: "vertical_portal_postEntries", arguments: { body: { number: "no" } } };
      await expect(limited.callTool(call)).rejects.toThrow(/no tool/);
      await limited.close();
    }
  });

  test("are reported when a product is enrolled, and none of another workspace is listed", async () => {
    const staff = await agent(the(), "tenant-staff", "tools=default,verticals");
    let changes = 0;
    staff.setNotificationHandler("notifications/tools/list_changed", () => {
      changes += 1;
    });
    const listening = await staff.listen({ toolsListChanged: true });
    expect(listening.honoredFilter).toEqual({ toolsListChanged: true });
    await enroll(the(), "counter", [{ method: "GET", path: "entries", type: "ledger" }]);
    await eventually(() => expect(changes).toBeGreaterThan(0));
    const names = async (): Promise<string[]> =>
      (await staff.listTools()).tools.map(({ name }) => name);
    await eventually(async () => expect(await names()).toContain("vertical_counter_getEntries"));
    await listening.close();
    await staff.close();
    const outsider = await agent(the(), "outsider");
    const { tools } = await outsider.listTools();
    expect(tools.filter(({ name }) => name.startsWith("vertical_"))).toEqual([]);
    await outsider.close();
  });
});
