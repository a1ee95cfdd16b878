import type { RecordedPlatform } from "./recorded-platform.ts";

const path = "/v4/webhooks";

/** Makes an alert with its rule, deliveries and received calls of webhooks, and a mark. */
export async function makeEvents(platform: RecordedPlatform, tenant: string): Promise<void> {
  const call = (method: string, route: string, body?: object) =>
    platform.call(method, route, { tenant, ...(body === undefined ? {} : { body }) });
  await call("POST", "/v4/realtime/alert-rules", {
    name: "New inspections",
    kind: "event",
    types: ["inspection"],
    operations: ["created"],
    role: "tenant-staff",
  });
  const endpoint = (await call("POST", `${path}/endpoints`, { temporary: true })).text("id");
  const tested = await call("POST", `${path}/endpoints/${endpoint}/test`);
  const results = [{ deliveryId: tested.text("id"), responseStatus: 204 }];
  await call("POST", `${path}/endpoints/${endpoint}/pull`, { results });
  // A copy of the data begins an epoch, which enabled endpoints would hear of.
  await call("PATCH", `${path}/endpoints/${endpoint}`, { enabled: false });
  const source = await call("POST", `${path}/sources`, {
    name: "Harbour office",
    scheme: { type: "token" },
    mapping:
      '{upsert: {type: "inspection", property: "reference", value: .body.id, data: .body.data}}',
  });
  const headers = { "x-webhook-token": source.text("secret") };
  const data = { state: "planned", notes: "Called from the harbour" };
  for (const id of ["IN-0800", "no reference"]) {
    await platform.call("POST", `${path}/${source.text("source")}`, {
      headers,
      body: { id, data },
    });
  }
  const received = `${path}/sources/${source.text("source")}/received`;
  await platform.until(`${received}?status=waiting`, { tenant }, (answer) => {
    return answer.items("id").length === 0;
  });
  const alerts = "/v4/realtime/alerts";
  await platform.until(alerts, { tenant }, (answer) => answer.items("id").length > 0);
  const look = { tenant_id: tenant, place: "records/inspection" };
  await platform.call("PUT", "/v4/identity/me/marks", { body: look });
}
