import { expect } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { field } from "#test/support/platform.ts";
import type { Scene, SpecifiedCall } from "./specified-calls.ts";

const secret = "a secret of the sender";

async function newSource({ client }: Scene) {
  const body = { name: "Sender", scheme: { type: "token" }, secret } as const;
  const { source } = await client.webhookSources.create({ body });
  return { params: { source } };
}

/** Sends a call as its sender does, who has only the secret of the source. */
async function newCall(scene: Scene) {
  const { params } = await newSource(scene);
  const sent = { headers: { "x-webhook-token": secret }, body: "{}" };
  const answer = await scene.client.request("POST", `/v4/webhooks/${params.source}`, sent);
  const receivedId = String(field(await answer.json(), "id"));
  return { params: { ...params, receivedId } };
}

/** `client.webhookSources.<route>`: additions of this platform. */
export const webhookSourceCalls: Readonly<Record<`webhookSources.${string}`, SpecifiedCall>> = {
  "webhookSources.receive": {
    isAddition: true,
    run: async (scene) => {
      const { params } = await newSource(scene);
      const content = new Blob(["{}"]);
      await expect(scene.client.webhookSources.receive({ params, content })).rejects.toMatchObject({
        code: "E103",
      });
    },
  },
  "webhookSources.list": {
    isAddition: true,
    run: async (scene) => {
      const { source } = (await newSource(scene)).params;
      const { items } = await scene.client.webhookSources.list({});
      expect(items.map((item) => item.source)).toContain(source);
    },
  },
  "webhookSources.create": {
    isAddition: true,
    run: async ({ client }) => {
      const made = await client.webhookSources.create({ body: { name: "Sender" } });
      expect(made.secret).toMatch(/^whsec_/);
    },
  },
  "webhookSources.get": {
    isAddition: true,
    run: async (scene) => {
      const source = await scene.client.webhookSources.get(await newSource(scene));
      expect(source).toMatchObject({ status: "active", role: "tenant-staff" });
    },
  },
  "webhookSources.update": {
    isAddition: true,
    run: async (scene) => {
      const named = await newSource(scene);
      const body = { enabled: false };
      const changed = await scene.client.webhookSources.update({ ...named, body });
      expect(changed.status).toBe("disabled");
    },
  },
  "webhookSources.remove": {
    isAddition: true,
    run: async (scene) => {
      const named = await newSource(scene);
      await scene.client.webhookSources.remove(named);
      await expect(scene.client.webhookSources.get(named)).rejects.toMatchObject({ code: "E202" });
    },
  },
  "webhookSources.rotate": {
    isAddition: true,
    run: async (scene) => {
      const named = await newSource(scene);
      const body = { graceDays: 0 };
      const rotated = await scene.client.webhookSources.rotate({ ...named, body });
      expect(rotated.secret).not.toBe(secret);
    },
  },
  "webhookSources.test": {
    isAddition: true,
    run: async (scene) => {
      const named = await newSource(scene);
      const outcome = await scene.client.webhookSources.test({ ...named, body: { body: {} } });
      expect(outcome).toEqual({ effect: null, error: null });
    },
  },
  "webhookSources.received": {
    isAddition: true,
    run: async (scene) => {
      const { source, receivedId } = (await newCall(scene)).params;
      const { items } = await scene.client.webhookSources.received({ params: { source } });
      expect(items).toMatchObject([{ id: receivedId }]);
    },
  },
  "webhookSources.receivedCall": {
    isAddition: true,
    run: async (scene) => {
      const call = await scene.client.webhookSources.receivedCall(await newCall(scene));
      expect(call.body).toBe("{}");
    },
  },
  "webhookSources.replay": {
    isAddition: true,
    run: async (scene) => {
      const named = await newCall(scene);
      await eventually(async () => {
        const { status } = await scene.client.webhookSources.receivedCall(named);
        expect(status).not.toBe("waiting");
      });
      const replayed = await scene.client.webhookSources.replay(named);
      expect(replayed.id).toBe(named.params.receivedId);
    },
  },
};
