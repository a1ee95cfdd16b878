import { expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";
import { asAdmin, change, endpoints, loopback, newEndpoint, receiver, settle } from "./world.ts";

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

    test("an endpoint for a rule receives its alerts, and nothing else", async () => {
      const admin = await asAdmin(the());
      const ruleOf = async (body: object): Promise<string> => {
        const rule = { kind: "event", kinds: ["record"], operations: ["created"], ...body };
        const made = await admin.post("/v4/realtime/alert-rules", rule);
        return String(field(made.json, "id"));
      };
      const target = receiver();
      const wanted = await ruleOf({ name: "Created", role: "tenant-viewer" });
      await ruleOf({ name: "Created too", role: "tenant-viewer" });
      const mine = await ruleOf({ name: "Mine" });
      const refused = async (filter: object) => {
        const body = { url: target.url, ...filter };
        const { status, json } = await admin.post(endpoints, body);
        expect(status).toBe(422);
        return field(json, "errors");
      };
      expect(await refused({ rules: [mine] })).toMatchObject([{ pointer: "#/rules/0" }]);
      expect(await refused({ rules: ["none"] })).toMatchObject([{ pointer: "#/rules/0" }]);
      expect(await refused({ rules: [wanted], kinds: ["record"] })).toMatchObject([
        { pointer: "#/rules" },
      ]);
      const { id } = await newEndpoint(the(), { url: target.url, rules: [wanted], body: "full" });
      expect((await admin.get(`${endpoints}/${id}`)).json).toMatchObject({ rules: [wanted] });
      await change(the(), "record-9", { op: "created" });
      await the().platform.services.alerts.scheduler.look();
      await settle(the());
      expect(target.received.map(({ body }) => body)).toMatchObject([
        { type: "svc.alert.raised", data: { alert: { ruleId: wanted, subject: "record-9" } } },
      ]);
      await admin.delete(`${endpoints}/${id}`);
    });
  },
  { options: loopback },
);
