import { expect } from "vitest";
import type { Scene, SpecifiedCall } from "./specified-calls.ts";

async function newEndpoint({ client }: Scene) {
  const body = { temporary: true, kinds: ["record" as const] };
  const { id } = await client.webhooks.create({ body });
  return { params: { endpointId: id } };
}

async function newDelivery(scene: Scene) {
  const { params } = await newEndpoint(scene);
  const { id } = await scene.client.webhooks.test({ params });
  return { params: { ...params, deliveryId: id } };
}

/** `client.webhooks.<route>`: additions of this platform. */
export const webhookCalls: Readonly<Record<`webhooks.${string}`, SpecifiedCall>> = {
  "webhooks.list": {
    isAddition: true,
    run: async ({ client }) => {
      expect((await client.webhooks.list({})).items).toEqual(expect.any(Array));
    },
  },
  "webhooks.create": {
    isAddition: true,
    run: async ({ client }) => {
      const made = await client.webhooks.create({ body: { url: "https://hooks.example.org/" } });
      expect(made.secret).toMatch(/^whsec_/);
    },
  },
  "webhooks.get": {
    isAddition: true,
    run: async (scene) => {
      const endpoint = await scene.client.webhooks.get(await newEndpoint(scene));
      expect(endpoint.status).toBe("active");
    },
  },
  "webhooks.update": {
    isAddition: true,
    run: async (scene) => {
      const named = await newEndpoint(scene);
      const changed = await scene.client.webhooks.update({ ...named, body: { enabled: false } });
      expect(changed.status).toBe("disabled");
    },
  },
  "webhooks.remove": {
    isAddition: true,
    run: async (scene) => {
      const named = await newEndpoint(scene);
      await scene.client.webhooks.remove(named);
      await expect(scene.client.webhooks.get(named)).rejects.toMatchObject({ code: "E202" });
    },
  },
  "webhooks.test": {
    isAddition: true,
    run: async (scene) => {
      const sent = await scene.client.webhooks.test(await newEndpoint(scene));
      expect(sent.origin).toBe("test");
    },
  },
  "webhooks.rotate": {
    isAddition: true,
    run: async (scene) => {
      const named = await newEndpoint(scene);
      const rotated = await scene.client.webhooks.rotate({ ...named, body: { graceDays: 0 } });
      expect(rotated.secret).toMatch(/^whsec_/);
    },
  },
  "webhooks.enable": {
    isAddition: true,
    run: async (scene) => {
      const enabled = await scene.client.webhooks.enable(await newEndpoint(scene));
      expect(enabled.status).toBe("active");
    },
  },
  "webhooks.replay": {
    isAddition: true,
    run: async (scene) => {
      const named = await newEndpoint(scene);
      const receipt = await scene.client.webhooks.replay({ ...named, body: { failed: true } });
      expect(receipt.replayed).toBe(0);
    },
  },
  "webhooks.pull": {
    isAddition: true,
    run: async (scene) => {
      const { endpointId } = (await newDelivery(scene)).params;
      const { items } = await scene.client.webhooks.pull({ params: { endpointId }, body: {} });
      expect(items).toMatchObject([{ type: "svc.webhook.test" }]);
    },
  },
  "webhooks.deliveries": {
    isAddition: true,
    run: async (scene) => {
      const { endpointId } = (await newDelivery(scene)).params;
      const { items } = await scene.client.webhooks.deliveries({ params: { endpointId } });
      expect(items).toMatchObject([{ status: "pending" }]);
    },
  },
  "webhooks.delivery": {
    isAddition: true,
    run: async (scene) => {
      const { params } = await newDelivery(scene);
      const delivery = await scene.client.webhooks.delivery({ params });
      expect(delivery.id).toBe(params.deliveryId);
    },
  },
};
