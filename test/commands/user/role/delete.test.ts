import { expect, test } from "vitest";
import { id, sent, workspace } from "../../stub-platform.ts";

test("an unknown role is not deleted", async () => {
  expect(await sent(`user role delete ${id} --force`)).toMatchObject({
    exitCode: 1,
    requests: [["members.roleDefinitions", { tenantId: workspace }]],
    stderr: expect.stringContaining(
      'Error E202: Role "0198f0a0-1111-7000-8000-000000000001" not found',
    ),
  });
  expect(await sent("user role delete word --force")).toMatchObject({
    exitCode: 1,
    requests: [["members.roleDefinitions", { tenantId: workspace }]],
    stderr: expect.stringContaining("Error E305: Invalid input: word is a base role"),
  });
});

test("without --force and a terminal nothing is sent", async () => {
  expect(await sent("user role delete word")).toMatchObject({ exitCode: 2, requests: [] });
});

test("a role is deleted by its key", async () => {
  const role = { id, key: "clerk", kind: "custom" };
  const answers = { "members.roleDefinitions": { items: [role] } };
  expect(await sent("user role delete clerk --force", { answers })).toMatchObject({
    exitCode: 0,
    requests: [expect.anything(), ["members.deleteRole", { roleDefinitionId: id }]],
    stdout: "Deleted the role clerk\n",
  });
});
