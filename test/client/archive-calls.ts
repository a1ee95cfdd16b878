import { expect } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import type { Scene, SpecifiedCall } from "./specified-calls.ts";

const addition = (run: SpecifiedCall["run"]): SpecifiedCall => ({ isAddition: true, run });

async function newArchive({ client }: Scene) {
  const { id } = await client.archives.create({ body: { groups: ["types"] } });
  const params = { archiveId: id };
  await eventually(async () => {
    expect((await client.archives.get({ params })).status).toBe("succeeded");
  });
  return { params };
}

async function newImport({ client }: Scene) {
  const { id } = await client.archives.import({ content: new Blob(["no archive"]) });
  return { params: { importId: id } };
}

/** `client.archives.<route>`: additions of this platform. */
export const archiveCalls: Readonly<Record<`archives.${string}`, SpecifiedCall>> = {
  "archives.list": addition(async (scene) => {
    const { archiveId } = (await newArchive(scene)).params;
    const { items } = await scene.client.archives.list({});
    expect(items.map(({ id }) => id)).toContain(archiveId);
  }),
  "archives.create": addition(newArchive),
  "archives.get": addition(async (scene) => {
    const { manifest } = await scene.client.archives.get(await newArchive(scene));
    expect(manifest?.parts.map(({ name }) => name)).toEqual(["object-types"]);
  }),
  "archives.content": addition(async (scene) => {
    const response = await scene.client.archives.content(await newArchive(scene));
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
  }),
  "archives.remove": addition(async (scene) => {
    const named = await newArchive(scene);
    await scene.client.archives.remove(named);
    await expect(scene.client.archives.get(named)).rejects.toMatchObject({ code: "E202" });
  }),
  "archives.import": addition(newImport),
  "archives.importJob": addition(async (scene) => {
    const { params } = await newImport(scene);
    await eventually(async () => {
      const { status, error } = await scene.client.archives.importJob({ params });
      expect([status, error?.code]).toEqual(["failed", "archive-damaged"]);
    });
  }),
};
