import { expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";
import { asAdmin, change, loopback, newEndpoint, receiver, settle } from "./world.ts";

describePlatform(
  "an endpoint in trouble",
  (the) => {
    test("raises one alert of a rule about endpoints, which only admins see", async () => {
      const gone = receiver(() => new Response(null, { status: 410 }));
      const { id } = await newEndpoint(the(), { url: gone.url, kinds: ["record"] });
      const admin = await asAdmin(the());
      const rule = { name: "Endpoints", kind: "endpoint", role: "tenant-admin" };
      const ruleId = field((await admin.post("/v4/realtime/alert-rules", rule)).json, "id");
      await change(the(), "record-1");
      await settle(the());
      await the().platform.services.alerts.scheduler.look();
      const listed = await admin.get("/v4/realtime/alerts?limit=500");
      const items = field(listed.json, "items") as readonly object[];
      const own = items.filter((item) => field(item, "ruleId") === ruleId);
      expect(own).toMatchObject([{ kind: "endpoint", subject: id, status: "open" }]);
      const headers = { "x-tenant-id": the().workspaces.tenant };
      const staff = await the()
        .as("tenant-staff")
        .get("/v4/realtime/alerts?limit=500", { headers });
      expect(staff.text).not.toContain(id);
    });
  },
  { options: loopback },
);
