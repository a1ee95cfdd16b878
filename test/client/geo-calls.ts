import { expect } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import type { Scene, SpecifiedCall } from "./specified-calls.ts";

const geometry = { type: "Point", coordinates: [1, 2] };

async function newDataset({ client }: Scene) {
  const dataset = `trees-${crypto.randomUUID().slice(0, 8)}`;
  await client.geoDatasets.create({ body: { dataset } });
  return { params: { dataset } };
}

async function newFeature(scene: Scene) {
  const { params } = await newDataset(scene);
  const { id } = await scene.client.geoFeatures.create({ params, body: { geometry } });
  return { params: { ...params, feature: id } };
}

const grid = { kind: "grid", degrees: 10 } as const;

async function newReport(scene: Scene) {
  const { dataset } = (await newFeature(scene)).params;
  const source = { dataset };
  await scene.client.geoReports.create({ body: { report: dataset, source, by: grid } });
  return { params: { report: dataset }, source };
}

const addition = (run: SpecifiedCall["run"]): SpecifiedCall => ({ isAddition: true, run });

/** Calls of datasets, features and collections: additions of this platform. */
export const geoCalls: Readonly<Record<`geo${string}`, SpecifiedCall>> = {
  "geoDatasets.list": addition(async (scene) => {
    const { dataset } = (await newDataset(scene)).params;
    const { items } = await scene.client.geoDatasets.list({});
    expect(items.map((item) => item.dataset)).toContain(dataset);
  }),
  "geoDatasets.create": addition(newDataset),
  "geoDatasets.get": addition(async (scene) => {
    expect(await scene.client.geoDatasets.get(await newDataset(scene))).toMatchObject({
      features: 0,
    });
  }),
  "geoDatasets.replace": addition(async (scene) => {
    const named = await newDataset(scene);
    const replaced = await scene.client.geoDatasets.replace({ ...named, body: { title: "Trees" } });
    expect(replaced).toMatchObject({ title: "Trees", version: 2 });
  }),
  "geoDatasets.update": addition(async (scene) => {
    const named = await newDataset(scene);
    const changed = await scene.client.geoDatasets.update({ ...named, body: { source: "Survey" } });
    expect(changed.source).toBe("Survey");
  }),
  "geoDatasets.remove": addition(async (scene) => {
    const named = await newDataset(scene);
    await scene.client.geoDatasets.remove(named);
    await expect(scene.client.geoDatasets.get(named)).rejects.toMatchObject({ code: "E202" });
  }),
  "geoDatasets.import": addition(async (scene) => {
    const named = await newDataset(scene);
    const body = new Blob([JSON.stringify({ type: "FeatureCollection", features: [] })]);
    const { status } = await scene.client.geoDatasets.import({ ...named, content: body });
    expect(status).toBe("queued");
  }),
  "geoDatasets.importJob": addition(async (scene) => {
    const { params } = await newDataset(scene);
    const feature = { type: "Feature", geometry, properties: null };
    const body = new Blob([JSON.stringify(feature)]);
    const { jobId } = await scene.client.geoDatasets.import({ params, content: body });
    await eventually(async () => {
      const job = await scene.client.geoDatasets.importJob({ params: { ...params, jobId } });
      expect(job).toMatchObject({ status: "succeeded", counts: { stored: 1 } });
    });
  }),
  "geoDatasets.cancelImport": addition(async (scene) => {
    const { params } = await newDataset(scene);
    const { jobId } = await scene.client.geoDatasets.import({ params, content: new Blob(["["]) });
    const named = { params: { ...params, jobId } };
    // The job may have ended before.
    const stopped = await scene.client.geoDatasets.cancelImport(named).catch(String);
    expect(JSON.stringify(stopped)).toMatch(/cancelled|already ended/);
  }),
  "geoReports.list": addition(async (scene) => {
    const { report } = (await newReport(scene)).params;
    const { items } = await scene.client.geoReports.list({});
    expect(items.map((item) => item.report)).toContain(report);
  }),
  "geoReports.create": addition(newReport),
  "geoReports.get": addition(async (scene) => {
    expect(
      (await scene.client.geoReports.get({ params: (await newReport(scene)).params })).by,
    ).toEqual(grid);
  }),
  "geoReports.replace": addition(async (scene) => {
    const { params, source } = await newReport(scene);
    const body = { title: "Trees", source, by: grid };
    const replaced = await scene.client.geoReports.replace({ params, body });
    expect(replaced).toMatchObject({ title: "Trees", version: 2 });
  }),
  "geoReports.update": addition(async (scene) => {
    const { params } = await newReport(scene);
    const changed = await scene.client.geoReports.update({ params, body: { title: "Trees" } });
    expect(changed).toMatchObject({ title: "Trees", by: grid });
  }),
  "geoReports.remove": addition(async (scene) => {
    const { params } = await newReport(scene);
    await scene.client.geoReports.remove({ params });
    await expect(scene.client.geoReports.get({ params })).rejects.toMatchObject({ code: "E202" });
  }),
  "geoReports.run": addition(async (scene) => {
    const { params } = await newReport(scene);
    const { rows } = await scene.client.geoReports.run({ params });
    expect(rows).toEqual([{ key: "0,0", metrics: { count: 1 } }]);
    const csv = await scene.client.reportFile(params.report, "csv");
    expect(await csv.text()).toBe('key,count\r\n"0,0",1\r\n');
  }),
  "geoReports.startResult": addition(async (scene) => {
    const { params } = await newReport(scene);
    expect((await scene.client.geoReports.startResult({ params })).status).toBe("queued");
  }),
  "geoReports.results": addition(async (scene) => {
    const { params } = await newReport(scene);
    const { result } = await scene.client.geoReports.startResult({ params });
    const { items } = await scene.client.geoReports.results({ params });
    expect(items.map((item) => item.result)).toEqual([result]);
  }),
  "geoReports.result": addition(async (scene) => {
    const { params } = await newReport(scene);
    const { result } = await scene.client.geoReports.startResult({ params });
    await eventually(async () => {
      const shown = await scene.client.geoReports.result({ params: { ...params, result } });
      expect(shown.rows).toEqual([{ key: "0,0", metrics: { count: 1 } }]);
    });
    const map = await scene.client.reportFile(params.report, "svg", { result });
    expect(await map.text()).toContain("<svg");
  }),
  "geoCollections.landing": addition(async ({ client }) => {
    const { links } = await client.geoCollections.landing({});
    expect(links.map(({ rel }) => rel)).toContain("data");
  }),
  "geoCollections.conformance": addition(async ({ client }) => {
    expect((await client.geoCollections.conformance({})).conformsTo).toContain(
      "http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/update",
    );
  }),
  "geoCollections.list": addition(async (scene) => {
    const { dataset } = (await newDataset(scene)).params;
    const { collections } = await scene.client.geoCollections.list({});
    expect(collections.map(({ id }) => id)).toContain(dataset);
  }),
  "geoCollections.get": addition(async (scene) => {
    const named = await newDataset(scene);
    expect((await scene.client.geoCollections.get(named)).id).toBe(named.params.dataset);
  }),
  "geoCollections.schema": addition(async (scene) => {
    const { dataset } = (await newFeature(scene)).params;
    const schema = await scene.client.geoCollections.schema({ params: { dataset } });
    expect(schema).toMatchObject({ title: dataset, type: "object" });
  }),
  "geoCollections.items": addition(async (scene) => {
    const { dataset, feature } = (await newFeature(scene)).params;
    const { features } = await scene.client.geoCollections.items({ params: { dataset } });
    expect(features).toMatchObject([{ id: feature, geometry }]);
  }),
  "geoCollections.item": addition(async (scene) => {
    const item = await scene.client.geoCollections.item(await newFeature(scene));
    expect(item).toMatchObject({ type: "Feature", geometry });
  }),
  "geoCollections.createItem": addition(async (scene) => {
    const { params } = await newDataset(scene);
    const body = { type: "Feature" as const, id: "oak", geometry };
    const made = await scene.client.geoCollections.createItem({ params, body });
    expect(made).toMatchObject({ id: "oak", geometry });
  }),
  "geoCollections.replaceItem": addition(async (scene) => {
    const named = await newFeature(scene);
    const body = { type: "Feature" as const, geometry: null, properties: { kind: "elm" } };
    const replaced = await scene.client.geoCollections.replaceItem({ ...named, body });
    expect(replaced).toMatchObject({ geometry: null, properties: { kind: "elm" } });
  }),
  "geoCollections.updateItem": addition(async (scene) => {
    const named = await newFeature(scene);
    const body = { properties: { kind: "elm" } };
    const changed = await scene.client.geoCollections.updateItem({ ...named, body });
    expect(changed).toMatchObject({ geometry, properties: { kind: "elm" } });
  }),
  "geoCollections.removeItem": addition(async (scene) => {
    const named = await newFeature(scene);
    await scene.client.geoCollections.removeItem(named);
    await expect(scene.client.geoCollections.item(named)).rejects.toMatchObject({ code: "E202" });
  }),
  "geoFeatures.list": addition(async (scene) => {
    const { dataset, feature } = (await newFeature(scene)).params;
    const query = { bbox: "0,0,5,5" };
    const { items } = await scene.client.geoFeatures.list({ params: { dataset }, query });
    expect(items).toMatchObject([{ id: feature, geometry }]);
  }),
  "geoFeatures.create": addition(newFeature),
  "geoFeatures.query": addition(async (scene) => {
    const { dataset, feature } = (await newFeature(scene)).params;
    const body = { intersects: geometry };
    const { items } = await scene.client.geoFeatures.query({ params: { dataset }, body });
    expect(items).toMatchObject([{ id: feature }]);
  }),
  "geoFeatures.get": addition(async (scene) => {
    const feature = await scene.client.geoFeatures.get(await newFeature(scene));
    expect(feature).toMatchObject({ type: "Feature", geometry, version: 1 });
  }),
  "geoFeatures.update": addition(async (scene) => {
    const named = await newFeature(scene);
    const body = { properties: { name: "Elm" } };
    const changed = await scene.client.geoFeatures.update({ ...named, body });
    expect(changed).toMatchObject({ properties: { name: "Elm" }, version: 2 });
  }),
  "geoFeatures.remove": addition(async (scene) => {
    const named = await newFeature(scene);
    await scene.client.geoFeatures.remove(named);
    await expect(scene.client.geoFeatures.get(named)).rejects.toMatchObject({ code: "E202" });
  }),
};
