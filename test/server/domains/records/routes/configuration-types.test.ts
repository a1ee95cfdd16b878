import { expect, test } from "vitest";
import { configurationTypes } from "#contract/access/configuration-types.ts";
import { routes } from "#contract/index.ts";
import type { RouteDefinition } from "#contract/route.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { withAppTypes } from "../../apps/world.ts";
import { unknownId } from "./ledger.ts";

const written = Object.entries<RouteDefinition>(routes.resources).filter(
  ([, { method, path, asks }]) =>
    method !== "GET" && asks !== true && path.includes("{objectType}"),
);

describePlatform(
  "records that configure workflows and apps",
  (the) => {
    test.for(Object.values(configurationTypes))("staff change no %s by any route", async (slug) => {
      const { tenant } = the().workspaces;
      await withAppTypes(the(), tenant);
      expect(written.map(([name]) => name)).toEqual(
        expect.arrayContaining(["create", "update", "delete", "batchCreate", "executeAction"]),
      );
      for (const [, { method, path }] of written) {
        const place = path
          .replace("{tenantId}", tenant)
          .replace("{objectType}", encodeURIComponent(slug).replace("-", "%2D"))
          .replace("{id}", unknownId)
          .replace(/\{\w+\}/g, "any");
        const answered = await the().as("tenant-staff").call(method, place, { body: {} });
        expect({ path, status: answered.status, json: answered.json }).toMatchObject({
          path,
          status: 403,
          json: {
            code: "permission-denied",
            requiredRole: "tenant-builder",
            currentRole: "tenant-staff",
          },
        });
      }
    });

    test("a builder changes one, and staff read it", async () => {
      const { tenant } = the().workspaces;
      await withAppTypes(the(), tenant);
      const list = `/v4/data/resources/${tenant}/${configurationTypes.aiProfile}`;
      const data = { profile_key: `profile-${Bun.randomUUIDv7()}`, status: "active" };
      const made = await the().as("tenant-builder").post(list, { data });
      expect(made.status).toBe(201);
      const id = String(field(made.json, "id"));
      expect((await the().as("tenant-staff").get(`${list}/${id}`)).status).toBe(200);
      const body = { data: { ...data, status: "draft" }, version: 1 };
      expect((await the().as("tenant-builder").put(`${list}/${id}`, body)).status).toBe(200);
    });
  },
  { alsoInThread: true },
);
