import { expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";
import {
  collection,
  datasetsPath,
  feature,
  imported,
  inWorkspace,
  newDataset,
  point,
} from "../datasets/world.ts";

describePlatform("OGC API Features", (the) => {
  let made: Promise<string> | undefined;
  const shared = (): Promise<string> => (made ??= newDataset(the()));

  test("follows the link next through all features of a time, without a header", async () => {
    const dataset = await newDataset(the());
    const days = Array.from(
      { length: 30 },
      (_each, at) => `2026-01-${String(at + 1).padStart(2, "0")}`,
    );
    const places = days.map((datetime, at) => feature(point(at, at), { datetime }, datetime));
    await imported(the(), dataset, collection(...places, feature(point(0, 0), {}, "timeless")));
    const { tenant } = the().workspaces;
    const viewer = the().as("tenant-viewer");
    const ids: unknown[] = [];
    const query = `tenant_id=${tenant}&limit=4&bbox=0,0,25,25&datetime=2026-01-10T12:00:00Z/..`;
    let next: string | undefined = `/v4/geo/collections/${dataset}/items?${query}`;
    while (next !== undefined) {
      const answer = await viewer.get(next);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers.get("content-type")).toBe("application/geo+json");
      const features = field(answer.json, "features");
      if (Array.isArray(features)) ids.push(...features.map((each) => field(each, "id")));
      const links = field(answer.json, "links");
      const link = Array.isArray(links)
        ? links.find((each) => field(each, "rel") === "next")
        : undefined;
      const href: unknown = link === undefined ? undefined : field(link, "href");
      next = typeof href === "string" ? href.slice(the().baseUrl.length) : undefined;
    }
    expect(ids).toEqual([...days.slice(9, 26), "timeless"]);
  });

  test("leads from its landing page to each feature", async () => {
    const dataset = await newDataset(the());
    await imported(the(), dataset, collection(feature(point(1, 2), { name: "One" }, "a/b")));
    const { tenant } = the().workspaces;
    const viewer = the().as("tenant-viewer");
    const landing = await viewer.get(`/v4/geo?tenant_id=${tenant}`);
    const links = field(landing.json, "links");
    const hrefs = Array.isArray(links) ? links.map((link) => String(field(link, "href"))) : [];
    expect(hrefs).toContain(`${the().baseUrl}/v4/geo/collections?tenant_id=${tenant}`);
    const classes = await viewer.get(`/v4/geo/conformance?tenant_id=${tenant}`);
    expect(classes.text).toContain("ogcapi-features-1/1.0/conf/geojson");
    const collections = await viewer.get(`/v4/geo/collections?tenant_id=${tenant}`);
    const items = `${the().baseUrl}/v4/geo/collections/${dataset}/items?tenant_id=${tenant}`;
    expect(collections.text).toContain(items);
    const item = await viewer.get(`/v4/geo/collections/${dataset}/items/a%2Fb?tenant_id=${tenant}`);
    expect(item.json).toMatchObject({ type: "Feature", id: "a/b", geometry: point(1, 2) });
  });

  test("features are made, replaced, changed and deleted as part 4 of the standard says", async () => {
    const dataset = await newDataset(the());
    const { tenant } = the().workspaces;
    const staff = the().as("tenant-staff");
    const items = `/v4/geo/collections/${dataset}/items?tenant_id=${tenant}`;
    const options = await staff.fetch("OPTIONS", items);
    expect(options.status).toBe(200);
    expect(options.headers.get("allow")).toBe("GET, POST, HEAD, OPTIONS");
    expect(options.headers.get("accept-post")).toBe("application/geo+json, application/json");
    const geojson = { "content-type": "application/geo+json" };
    const rawBody = JSON.stringify({ ...feature(point(1, 2), { kind: "oak" }), links: [] });
    const made = await staff.post(items, undefined, { headers: geojson, rawBody });
    expect(made.status, made.text).toBe(201);
    const place = (made.headers.get("location") ?? "").slice(the().baseUrl.length);
    const shown = await staff.get(place);
    expect(shown.json).toMatchObject({ geometry: point(1, 2), properties: { kind: "oak" } });
    const tag = shown.headers.get("etag") ?? "";
    const merge = { "content-type": "application/merge-patch+json", "if-match": tag };
    const changes = JSON.stringify({ properties: { kind: null, age: 7 } });
    const changed = await staff.patch(place, undefined, { headers: merge, rawBody: changes });
    expect(changed.json).toMatchObject({ geometry: point(1, 2), properties: { age: 7 } });
    const stale = await staff.patch(place, undefined, { headers: merge, rawBody: changes });
    expect(stale.status).toBe(412);
    const other = place.replace("/items/", "/items/other-");
    const missing = await staff.put(other, undefined, {
      headers: { ...geojson, "if-match": '"xyz"' },
      rawBody,
    });
    expect(missing.status).toBe(404);
    const headers = { ...geojson, "if-match": changed.headers.get("etag") ?? "" };
    expect((await staff.put(place, undefined, { headers, rawBody })).status).toBe(200);
    expect((await staff.delete(place)).status).toBe(204);
    expect((await staff.get(place)).status).toBe(404);
  });

  test("has a schema with the types of all features, also of later ones", async () => {
    const dataset = await newDataset(the());
    const { tenant } = the().workspaces;
    const viewer = the().as("tenant-viewer");
    const typed = async () => {
      const at = await viewer.get(`/v4/geo/collections/${dataset}?tenant_id=${tenant}`);
      expect(at.text).toContain("/schema?");
      const path = `/v4/geo/collections/${dataset}/schema?tenant_id=${tenant}`;
      const schema = await viewer.get(path);
      expect(schema.headers.get("content-type")).toBe("application/schema+json");
      return field(field(field(schema.json, "properties"), "properties"), "properties");
    };
    expect(await typed()).toEqual({});
    const first = feature(point(1, 1), { size: 1, day: "2026-01-02", any: 1 }, "a");
    const others = [feature(point(1, 1), { size: 2.5, any: "x" }), feature(null, { late: true })];
    await imported(the(), dataset, collection(first, ...others));
    const day = { type: "string", format: "date" };
    const late = { type: "boolean" };
    expect(await typed()).toEqual({ size: { type: "number" }, day, late });
    const staff = the().as("tenant-staff");
    const items = `/v4/geo/collections/${dataset}/items`;
    const query = `tenant_id=${tenant}`;
    await staff.post(`${items}?${query}`, feature(null, { day: "soon", tags: ["a"] }));
    const changed = await staff.patch(`${items}/a?${query}`, { properties: { late: "no" } });
    expect(changed.status, changed.text).toBe(200);
    const tags = { type: "array", items: { type: "string" } };
    expect(await typed()).toEqual({ size: { type: "number" }, day: { type: "string" }, tags });
    await imported(the(), dataset, collection(feature(null, { size: 1 })));
    expect(await typed()).toEqual({ size: { type: "integer" } });
  });

  test.each([
    ["items", "f=geojson&limit=100000&bbox=0,0,-50,10,10,500", 200],
    ["items", "bbox=0,0,10", 400],
    ["items", "bbox=0,0,1..2,10", 400],
    ["items", "bbox=0,10,10,0", 400],
    ["items", "datetime=2026-13-01", 400],
    ["items", "datetime=2026-01-02/2026-01-01", 400],
    ["items", "limit=0", 400],
    ["items", "f=html", 400],
    ["items", "colour=red", 400],
    ["items", "cursor=x", 400],
    ["items", "bbox=0,0,1,1&bbox-crs=http://www.opengis.net/def/crs/EPSG/0/3857", 400],
    ["", "f=json", 200],
    ["", "f=xml", 400],
  ])("answers %s?%s with %i, as the standard says", async (part, query, status) => {
    const dataset = await shared();
    const { tenant } = the().workspaces;
    const path = `/v4/geo/collections/${dataset}${part === "" ? "" : `/${part}`}`;
    const answer = await the().as("tenant-viewer").get(`${path}?tenant_id=${tenant}&${query}`);
    expect(answer.status, answer.text).toBe(status);
    if (status === 400)
      expect(answer.text).toContain(`#/query/${query.split("&").at(-1)?.split("=")[0]}`);
    else expect(answer.text).toContain(dataset);
  });

  test("refuses a link of another workspace", async () => {
    const { other, tenant } = the().workspaces;
    const foreign = await newDataset(the(), "outsider");
    const path = `/v4/geo/collections/${foreign}`;
    expect((await the().as("outsider").get(`${path}?tenant_id=${other}`)).status).toBe(200);
    const viewer = the().as("tenant-viewer");
    expect((await viewer.get(`${path}?tenant_id=${other}`)).status).toBe(404);
    expect((await viewer.get(`${path}?tenant_id=${tenant}`)).status).toBe(404);
    const mixed = await viewer.get(`${path}?tenant_id=${other}`, inWorkspace(tenant));
    expect(mixed.status).toBe(422);
    expect((await viewer.get(datasetsPath)).status).toBe(422);
    expect((await viewer.get(`${datasetsPath}?tenant_id=none`)).status).toBe(422);
  });
});
