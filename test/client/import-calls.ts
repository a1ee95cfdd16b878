import { expect } from "vitest";
import { type, type Scene, type SpecifiedCall } from "./specified-calls.ts";

async function newImport({ client }: Scene) {
  const digest = crypto.randomUUID().replaceAll("-", "").repeat(2);
  const body = { digest, filename: "trees.csv" };
  const { id } = await client.imports.start({ params: { objectType: type }, body });
  return { params: { objectType: type, importId: id } };
}

/** Calls of imports of records: additions of this platform. */
export const importCalls: Readonly<Record<`imports.${string}`, SpecifiedCall>> = {
  "imports.start": { isAddition: true, run: newImport },
  "imports.get": {
    isAddition: true,
    run: async (scene) => {
      expect(await scene.client.imports.get(await newImport(scene))).toMatchObject({ row: 0 });
    },
  },
  "imports.rows": {
    isAddition: true,
    run: async (scene) => {
      const body = { items: [], through: 3, last: true };
      await scene.client.imports.rows({ ...(await newImport(scene)), body });
    },
  },
};
