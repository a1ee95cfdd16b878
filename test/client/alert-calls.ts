import { expect } from "vitest";
import type { Scene, SpecifiedCall } from "./specified-calls.ts";

const noAlert = { params: { alertId: crypto.randomUUID() } };

async function newRule({ client, names }: Scene) {
  const body = { name: `Failed ${names["unique"]}`, kind: "job" } as const;
  const { id } = await client.alerts.createRule({ body });
  return { alertRuleId: id };
}

/** Calls of the routes of alerts. */
export const alertCalls: Readonly<Record<string, SpecifiedCall>> = {
  "alerts.list": {
    isAddition: true,
    run: async ({ client }) => {
      expect((await client.alerts.list({ query: { status: "open" } })).items).toEqual([]);
    },
  },
  "alerts.get": {
    isAddition: true,
    run: async (scene) => {
      await newRule(scene);
      await expect(scene.client.alerts.get(noAlert)).rejects.toMatchObject({ code: "E202" });
    },
  },
  "alerts.acknowledge": {
    isAddition: true,
    run: async (scene) => {
      await newRule(scene);
      const acknowledging = scene.client.alerts.acknowledge(noAlert);
      await expect(acknowledging).rejects.toMatchObject({ code: "E202" });
    },
  },
  "alerts.listRules": {
    isAddition: true,
    run: async (scene) => {
      const { alertRuleId: id } = await newRule(scene);
      const { items } = await scene.client.alerts.listRules({ query: { limit: 500 } });
      expect(items).toContainEqual(expect.objectContaining({ id }));
    },
  },
  "alerts.createRule": { isAddition: true, run: newRule },
  "alerts.getRule": {
    isAddition: true,
    run: async (scene) => {
      const params = await newRule(scene);
      expect(await scene.client.alerts.getRule({ params })).toMatchObject({ kind: "job" });
    },
  },
  "alerts.updateRule": {
    isAddition: true,
    run: async (scene) => {
      const params = await newRule(scene);
      const rule = await scene.client.alerts.updateRule({ params, body: { enabled: false } });
      expect(rule).toMatchObject({ enabled: false });
    },
  },
  "alerts.getChannels": {
    isAddition: true,
    run: async ({ client }) => {
      expect(await client.alerts.getChannels()).toMatchObject({ mail: true, mutedRules: [] });
      const query = { role: "tenant-staff" };
      expect(await client.alerts.getChannels({ query })).toMatchObject(query);
    },
  },
  "alerts.updateChannels": {
    isAddition: true,
    run: async ({ client }) => {
      for (const mail of [false, true]) {
        const channels = await client.alerts.updateChannels({ body: { mail } });
        expect(channels).toMatchObject({ mail });
      }
    },
  },
  "alerts.removeRule": {
    isAddition: true,
    run: async (scene) => {
      const params = await newRule(scene);
      expect(await scene.client.alerts.removeRule({ params })).toMatchObject({ status: "deleted" });
    },
  },
};
