import { expect } from "vitest";
import { elm, type, type Scene, type SpecifiedCall } from "./specified-calls.ts";

/** An active product with routes over the records of the scene. */
async function newProduct({ client, names, record }: Scene, verb: string) {
  const product = `${verb}-product-${names["unique"]}`;
  await client.apps.create({ body: { key: product, displayName: "Trees", status: "active" } });
  const methods = ["GET", "PUT", "PATCH", "DELETE"];
  const routes = [
    ...methods.map((method) => ({ method, path: "trees/{id}", type })),
    { method: "POST", path: "trees", type },
  ];
  await client.resources.create({
    params: { objectType: "vertical-product-config" },
    body: { vertical_key: product, workflow_key: product, status: "active", config: { routes } },
  });
  return { params: { product, path: `trees/${record}` } };
}

/** `client.verticals.<route>`: a deployment need not have the product's routes. */
export const verticalCalls: Readonly<Record<`verticals.${string}`, SpecifiedCall>> = {
  "verticals.show": {
    isAddition: true,
    run: async (scene) => {
      const { product } = (await newProduct(scene, "show")).params;
      const { routes } = await scene.client.verticals.show({ params: { product } });
      expect(routes).toHaveLength(5);
    },
  },
  "verticals.read": {
    isAddition: true,
    run: async (scene) => {
      const read = await scene.client.verticals.read(await newProduct(scene, "read"));
      expect(read).toMatchObject({ id: scene.record });
    },
  },
  "verticals.send": {
    isAddition: true,
    run: async (scene) => {
      const { params } = await newProduct(scene, "send");
      const made = await scene.client.verticals.send({
        params: { ...params, path: "trees" },
        body: elm,
      });
      expect(made).toMatchObject({ version: 1, data: elm });
    },
  },
  "verticals.replace": {
    isAddition: true,
    run: async (scene) => {
      const call = await newProduct(scene, "replace");
      await scene.client.verticals.replace({ ...call, body: elm });
    },
  },
  "verticals.change": {
    isAddition: true,
    run: async (scene) => {
      const call = await newProduct(scene, "change");
      await scene.client.verticals.change({ ...call, body: elm });
    },
  },
  "verticals.remove": {
    isAddition: true,
    run: async (scene) => {
      await scene.client.verticals.remove(await newProduct(scene, "remove"));
    },
  },
};
