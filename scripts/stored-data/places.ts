import type { RecordedPlatform } from "./recorded-platform.ts";

const datasets = "/v4/geo/datasets";

function feature(id: string, x: number, name: string): object {
  const ring = [
    [x, 51],
    [x + 1, 51],
    [x + 1, 52],
    [x, 51],
  ];
  const geometry = { type: "Polygon", coordinates: [ring] };
  return { type: "Feature", id, geometry, properties: { name } };
}

/** Makes a dataset by an import and by hand, and a report about it. Returns the import's path. */
export async function makePlaces(platform: RecordedPlatform, tenant: string): Promise<string> {
  const body = { dataset: "wards", title: "Wards", licence: "CC-BY-4.0" };
  await platform.call("POST", datasets, { tenant, body });
  const features = [feature("north", 0, "Höhenweg"), feature("south", 2, "Quay")];
  const file = new Blob([JSON.stringify({ type: "FeatureCollection", features })]);
  const path = `${datasets}/wards`;
  const headers = { "content-type": "application/octet-stream" };
  const sent = { tenant, headers, body: file };
  const job = (await platform.call("PUT", `${path}/import?format=geojson`, sent)).text("jobId");
  const imported = `${path}/imports/${job}`;
  const isDone = "succeeded";
  await platform.until(imported, { tenant }, (answer) => answer.text("status") === isDone);
  const point = { type: "Point", coordinates: [0.5, 51.2] };
  await platform.call("POST", `${path}/features`, {
    tenant,
    body: { id: "pump", geometry: point, properties: { name: "Pump house" } },
  });
  await platform.call("POST", "/v4/geo/reports", {
    tenant,
    body: {
      report: "visits",
      source: { type: "inspection", property: "place" },
      by: { kind: "areas", dataset: "wards", name: "name" },
    },
  });
  return imported;
}
