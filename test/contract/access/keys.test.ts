import { expect, test } from "vitest";
import { keyRoutes } from "#contract/access/keys.ts";
import { schemaFaults } from "#contract/schema-faults.ts";

const { schema } = keyRoutes.create.body;

test.each([
  [{ name: "Script", role: "tenant-viewer" }, undefined],
  [{ name: "Script", roleDefinitionId: "r" }, undefined],
  [{ name: "Script" }, "role needs either role or roleDefinitionId"],
  [
    { name: "Script", role: "tenant-viewer", roleDefinitionId: "r" },
    "role needs either role or roleDefinitionId",
  ],
  [{ name: " ", role: "tenant-viewer" }, "name must have at least 1 character"],
  [{ name: "Script", role: "king" }, "role must be"],
  [{ name: "Script", role: "tenant-viewer", workspaces: ["x"] }, "workspaces/0 must be a UUID"],
])("the key %j: %s", (body, fault) => {
  const { error } = schema.safeParse(body);
  const [first] = error === undefined ? [] : schemaFaults(error);
  const words = first === undefined ? undefined : `${first.path.join("/")} ${first.detail}`;
  if (fault === undefined) expect(words).toBe(undefined);
  else expect(words).toContain(fault);
});
