import { expect } from "vitest";
import type { Scene, SpecifiedCall } from "./specified-calls.ts";

/** A new child of the workspace. */
async function childOf({ client, names }: Scene, name: string): Promise<string> {
  const parentId = client.tenantId ?? "";
  const body = { displayName: "Shed", slug: `${name}-${names["unique"]}` };
  const { id } = await client.workspaces.createChild({ params: { parentId }, body });
  await client.workspaces.bootstrapAdmin({ params: { parentId, childId: id } });
  return id;
}

/** Calls of `client.workspaces` and `client.workspaceRemoval`. */
export const workspaceCalls: Readonly<Record<string, SpecifiedCall>> = {
  "workspaces.createRoot": {
    run: ({ root, names }) =>
      root.workspaces.createRoot({
        body: { displayName: "Pier", slug: `pier-${names["unique"]}`, homeRegion: "eu" },
      }),
  },
  "workspaces.createChild": {
    run: ({ client, names }) =>
      client.workspaces.createChild({
        params: { parentId: client.tenantId ?? "" },
        body: { displayName: "Yard", slug: `yard-${names["unique"]}` },
      }),
  },
  "workspaces.update": {
    isAddition: true,
    run: async ({ client }) => {
      const body = { timeZone: "Europe/London" };
      expect(await client.workspaces.update({ body })).toMatchObject(body);
    },
  },
  "workspaces.bootstrapAdmin": {
    needsId: true,
    run: (scene) => childOf(scene, "shed"),
  },
  "workspaceRemoval.delete": {
    needsId: true,
    run: async (scene) => {
      const tenantId = await childOf(scene, "barn");
      const own = scene.client.forTenant(tenantId);
      await own.workspaceRemoval.delete();
    },
  },
  "workspaceRemoval.purgeChild": {
    needsId: true,
    run: async (scene) => {
      const params = {
        parentId: scene.client.tenantId ?? "",
        childId: await childOf(scene, "hut"),
      };
      const { status } = await scene.client.workspaceRemoval.purgeChild({ params });
      expect(status).toBe("hard_purged");
    },
  },
};
