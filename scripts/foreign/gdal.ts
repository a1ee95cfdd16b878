import { join } from "node:path";
import { startPlatformProcess } from "#test/support/platform-process.ts";
import { sameJson } from "#lib/json/same.ts";
import { isJsonObject, membersOf } from "#lib/json/value.ts";
import { sleep } from "#lib/time/sleep.ts";
import { finished } from "../build/finished.ts";
import { programOf } from "../tools.ts";
import type { Counterpart } from "./counterpart.ts";

const source = "world-atlas/countries-50m.json";
const waitMs = 60_000;

/** Countries of Natural Earth, imported and read back by GDAL as OGC API Features. */
export const gdal: Counterpart = {
  name: "gdal",
  about: "the countries of Natural Earth, imported and read back by ogr2ogr, each equal",
  tools: [programOf("ogr2ogr", "gdal-bin")],
  packages: ["world-atlas@2.0.2"],
  async run({ directory, executable, packages }) {
    const file = join(directory, "countries.geojson");
    // GDAL itself reads the TopoJSON, so that both files have the same positions.
    await ogr2ogr([file, join(packages, source), "countries"], {});
    await using platform = await startPlatformProcess({
      executable,
      dataDir: join(directory, "data"),
      home: directory,
    });
    const token = await platform.token();
    const call = { authorization: `Bearer ${token}` };
    const sending = { ...call, "content-type": "application/json" };
    const root = JSON.stringify({ slug: "geo", displayName: "Geo", homeRegion: "eu" });
    const tenants = `${platform.url}/v4/platform/tenants`;
    const made = await json(await fetch(tenants, { method: "POST", headers: sending, body: root }));
    const tenant = String(membersOf(made)?.get("id"));
    const headers = { ...sending, "x-tenant-id": tenant };
    const datasets = `${platform.url}/v4/geo/datasets`;
    const body = JSON.stringify({ dataset: "countries" });
    await json(await fetch(datasets, { method: "POST", headers, body }));
    await imported(`${datasets}/countries`, { headers, file });
    const back = join(directory, "back.geojson");
    const url = `OAPIF:${platform.url}/v4/geo?tenant_id=${tenant}`;
    await ogr2ogr([back, url, "countries"], {
      GDAL_HTTP_HEADERS: `Authorization: Bearer ${token}`,
    });
    const [sent, got] = [await featuresIn(file), await featuresIn(back)];
    const unequal = [...sent].filter(([name, geometry]) => !sameJson(geometry, got.get(name)));
    const failures = unequal.map(([name]) => `${name} is not equal`);
    if (got.size !== sent.size) failures.push(`${got.size} of ${sent.size} features came back`);
    const figures = [`${sent.size}`, `${got.size}`, `${unequal.length}`];
    const rows = [{ name: "countries", figures }];
    return [{ name: "GDAL", columns: ["sent", "read back", "unequal"], rows, failures }];
  },
};

async function ogr2ogr(words: readonly string[], variables: Readonly<Record<string, string>>) {
  const child = Bun.spawn(["ogr2ogr", "-f", "GeoJSON", ...words], {
    env: { ...process.env, ...variables },
    stdout: "pipe",
    stderr: "pipe",
  });
  const { stderr, exitCode } = await finished(child);
  if (exitCode !== 0) throw new Error(`ogr2ogr failed: ${stderr}`);
}

/** Imports the file, whose names are the ids of its features, and waits for the end. */
async function imported(
  dataset: string,
  { headers, file }: { readonly headers: Readonly<Record<string, string>>; readonly file: string },
): Promise<void> {
  const url = `${dataset}/import?format=geojson&keep=true&id=name`;
  const started = await json(await fetch(url, { method: "PUT", headers, body: Bun.file(file) }));
  const jobId = String(membersOf(started)?.get("jobId"));
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += 500) {
    const state = membersOf(await json(await fetch(`${dataset}/imports/${jobId}`, { headers })));
    if (state?.get("status") === "succeeded") return;
    if (state?.get("status") === "failed") throw new Error(JSON.stringify(state.get("error")));
    await sleep(500);
  }
  throw new Error("the import did not end");
}

async function json(response: Response): Promise<unknown> {
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`);
  return response.json();
}

/** The geometries of a file by the names of their features. */
async function featuresIn(file: string): Promise<Map<string, unknown>> {
  const value: unknown = await Bun.file(file).json();
  const features = isJsonObject(value) ? value["features"] : undefined;
  if (!Array.isArray(features)) throw new Error(`${file} has no features`);
  return new Map(
    features.map((feature: unknown) => {
      const members = membersOf(feature);
      const name = membersOf(members?.get("properties"))?.get("name");
      return [String(name), members?.get("geometry")] as const;
    }),
  );
}
