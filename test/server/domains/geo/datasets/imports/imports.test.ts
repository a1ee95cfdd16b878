import { expect, test } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { malformedGeometries } from "#test/lib/geometry/malformed.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { storeQuota } from "#test/support/stored-quota.ts";
import {
  collection,
  datasetsPath,
  feature,
  idsIn,
  imported,
  inWorkspace,
  newDataset,
  point,
} from "../world.ts";

describePlatform("an import", (the) => {
  test("with one invalid feature stores nothing, and names each reason", async () => {
    const dataset = await newDataset(the());
    await imported(the(), dataset, collection(feature(point(0, 0), {}, "before")));
    const file = collection(
      feature(point(1, 1), {}, "good"),
      feature(point(200, 1), {}, "far"),
      feature(
        {
          type: "Polygon",
          coordinates: [
            [
              [0, 0],
              [1, 0],
              [1, 1],
            ],
          ],
        },
        {},
        "open",
      ),
      { type: "Feature", properties: {} },
      feature(point(2, 2), {}, "good"),
    );
    const state = await imported(the(), dataset, file);
    expect(state).toMatchObject({
      status: "failed",
      counts: { read: 5, refused: 4 },
      error: { code: "features-refused" },
    });
    expect(state.faults).toEqual([
      {
        feature: 2,
        id: "far",
        pointer: "#/geometry/coordinates/0",
        detail: expect.stringContaining("200"),
      },
      {
        feature: 3,
        id: "open",
        pointer: "#/geometry/coordinates/0",
        detail: expect.stringContaining("4 positions"),
      },
      { feature: 4, id: null, detail: "has no geometry; null is one" },
      { feature: 5, id: "good", detail: "has an id that an earlier feature has" },
    ]);
    expect(await idsIn(the(), dataset)).toEqual(["before"]);
    const skipped = await imported(the(), dataset, file, "?skip=true");
    expect(skipped).toMatchObject({ status: "completed_with_errors", counts: { stored: 1 } });
    expect(await idsIn(the(), dataset)).toEqual(["good"]);
  });

  test("with 500 malformed geometries names each reason, and stores no feature", async () => {
    const dataset = await newDataset(the());
    await imported(the(), dataset, collection(feature(point(0, 0), {}, "before")));
    const all = malformedGeometries().map(({ geometry }, at) => feature(geometry, {}, `m${at}`));
    const good = Array.from({ length: 20 }, (_each, at) => feature(point(at, 1), {}, `g${at}`));
    const state = await imported(the(), dataset, collection(...good, ...all));
    expect(state).toMatchObject({
      status: "failed",
      counts: { read: 520, refused: 500 },
      error: { code: "features-refused" },
    });
    const { faults = [] } = state;
    const wrong = malformedGeometries().flatMap(({ path, reason }, at) => {
      const { id, detail = "", pointer: place = "" } = faults[at] ?? {};
      const isClear =
        place.startsWith(path === "" ? "#/geometry" : `#/geometry/${path}`) &&
        detail.includes(reason);
      return id === `m${at}` && isClear ? [] : [{ at, path, reason, fault: faults[at] }];
    });
    expect(wrong).toEqual([]);
    expect(await idsIn(the(), dataset)).toEqual(["before"]);
    const { tenant } = the().workspaces;
    const path = `${datasetsPath}/${dataset}/features?count=true`;
    const listed = await the().as("tenant-viewer").get(path, inWorkspace(tenant));
    expect(field(listed.json, "total")).toBe(1);
  });

  test("as a dry run stores nothing", async () => {
    const dataset = await newDataset(the());
    const state = await imported(the(), dataset, collection(feature(point(1, 1))), "?dryRun=true");
    expect(state).toMatchObject({ status: "succeeded", dryRun: true, counts: { read: 1 } });
    expect(await idsIn(the(), dataset)).toEqual([]);
  });

  test("mends geometries on request", async () => {
    const dataset = await newDataset(the());
    const ring = [
      [170, 0],
      [190, 0],
      [190, 10],
      [170, 10],
    ];
    const file = collection(feature({ type: "Polygon", coordinates: [ring] }, {}, "crossing"));
    const state = await imported(the(), dataset, file, "?repair=true");
    expect(state).toMatchObject({ status: "succeeded", counts: { repaired: 1, stored: 1 } });
    expect(await idsIn(the(), dataset, "?bbox=-175,1,-174,2")).toEqual(["crossing"]);
    expect(await idsIn(the(), dataset, "?bbox=0,1,1,2")).toEqual([]);
  });

  test.each([
    [
      "newline-delimited GeoJSON",
      `${JSON.stringify(feature(point(1, 1), {}, "a"))}\n\u001E${JSON.stringify(feature(point(2, 2), {}, "b"))}\n`,
    ],
    ["CSV with coordinates", "id,lon,lat,name\na,1,1,One\nb,2,2,Two\n"],
    ["CSV with WKT", 'id;wkt\r\na;POINT (1 1)\r\nb;"POLYGON ((0 0,9 0,9 9,0 0))"\r\n'],
    [
      "KML",
      '<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark id="a"><Point><coordinates>1,1,0</coordinates></Point></Placemark><Folder><Placemark id="b"><Point><coordinates> 2,2 </coordinates></Point></Placemark></Folder></Document></kml>',
    ],
  ])("reads %s", async (_name, file) => {
    const dataset = await newDataset(the());
    const state = await imported(the(), dataset, file);
    expect(state.error).toBeNull();
    expect(await idsIn(the(), dataset, "?bbox=0.9,0.9,8,8")).toEqual(["a", "b"]);
  });

  test("reads GPX", async () => {
    const dataset = await newDataset(the());
    const file = `<gpx version="1.1"><wpt lat="1" lon="2"><ele>5</ele><name>Peak</name></wpt>
      <trk><name>Walk</name><trkseg><trkpt lat="0" lon="0"/><trkpt lat="1" lon="1"/></trkseg></trk></gpx>`;
    await imported(the(), dataset, file, "?id=name");
    expect(await idsIn(the(), dataset)).toEqual(["Peak", "Walk"]);
  });

  test.each([
    ["{", "The file ends too early"],
    ["[]", "no columns"],
    ['{"type":"FeatureCollection","features":[1]}', "not an object"],
    [
      '{"type":"FeatureCollection","features":[],"crs":{"properties":{"name":"EPSG:3857"}}}',
      "WGS 84",
    ],
    ["a,b\n1,2\n", "The file has no columns longitude and latitude"],
    ["<kml><Placemark></kml>", "The file is not XML"],
  ])("of a file such as %s fails with its reason", async (file, reason) => {
    const dataset = await newDataset(the());
    const state = await imported(the(), dataset, file);
    expect(state).toMatchObject({ status: "failed", error: { code: "malformed-file" } });
    expect(state.error?.message).toContain(reason);
  });

  test("leaves no rows of the features that it replaces", async () => {
    const dataset = await newDataset(the());
    const many = Array.from({ length: 1_200 }, (_each, at) =>
      feature(point(0, at / 100), {}, `${at}`),
    );
    await imported(the(), dataset, collection(...many));
    await imported(the(), dataset, collection(feature(point(0, 0), {}, "new")));
    expect(await idsIn(the(), dataset)).toEqual(["new"]);
    const { tenant } = the().workspaces;
    const gone = await the()
      .as("tenant-builder")
      .delete(`${datasetsPath}/${dataset}`, inWorkspace(tenant));
    expect(gone.status).toBe(204);
    await eventually(async () => {
      const quota = await the().as("tenant-viewer").get(`/v4/platform/tenants/${tenant}/quota`);
      expect(field(quota.json, "usage")).toBeDefined();
    });
  });

  test("that is stopped stores nothing, and cannot be stopped again", async () => {
    const dataset = await newDataset(the());
    await imported(the(), dataset, collection(feature(point(0, 0), {}, "before")));
    const { tenant } = the().workspaces;
    const staff = the().as("tenant-staff");
    const many = Array.from({ length: 50_000 }, (_each, at) => feature(point(1, 1), {}, `n${at}`));
    const headers = { "x-tenant-id": tenant, "content-type": "application/octet-stream" };
    const path = `${datasetsPath}/${dataset}`;
    const sent = { headers, rawBody: collection(...many) };
    const started = await staff.put(`${path}/import`, undefined, sent);
    const job = `${path}/imports/${String(field(started.json, "jobId"))}`;
    const stopped = await staff.post(`${job}/cancel`, undefined, inWorkspace(tenant));
    expect(stopped.json).toMatchObject({ dataset, status: "cancelled" });
    const again = await staff.post(`${job}/cancel`, undefined, inWorkspace(tenant));
    expect(again.status).toBe(409);
    expect(again.text).toContain("it has already ended");
    const shown = await staff.get(job, inWorkspace(tenant));
    expect(shown.json).toMatchObject({ status: "cancelled" });
    expect(await idsIn(the(), dataset)).toEqual(["before"]);
  });

  test("has only the room of the features that it replaces", async () => {
    const dataset = await newDataset(the());
    const fileOf = (count: number): string =>
      collection(
        ...Array.from({ length: count }, (_each, at) => feature(point(at, 1), {}, `n${at}`)),
      );
    await imported(the(), dataset, fileOf(3));
    const { tenant } = the().workspaces;
    const { usage } = await storeQuota(the(), tenant, {});
    await storeQuota(the(), tenant, { records: usage.records });
    expect(await imported(the(), dataset, fileOf(3))).toMatchObject({ status: "succeeded" });
    expect(await imported(the(), dataset, fileOf(4))).toMatchObject({
      status: "failed",
      error: { message: "The quota allows this dataset 3 features" },
    });
    expect(await idsIn(the(), dataset)).toHaveLength(3);
    await storeQuota(the(), tenant, { records: null });
  });
});
