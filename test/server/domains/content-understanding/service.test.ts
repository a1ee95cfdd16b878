import { expect, test } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { definition, examples, of } from "../classifiers/world.ts";
import { analyzer, invoiceType } from "../document-types/world.ts";
import { apply, plan } from "./plans.ts";

const base = "/v4/data/documents/content-understanding";

let count = 0;

function newManifest() {
  count += 1;
  const key = `set-${count}`;
  return {
    version: 1,
    classifiers: { [key]: definition },
    analyzers: { [key]: analyzer },
    documentTypes: { [key]: { ...invoiceType, analyzer: key } },
  };
}

describePlatform("content understanding", (the) => {
  test("applies a plan once, and plans nothing after it", async () => {
    const body = newManifest();
    const digest = await plan(the(), body);
    const id = `apply-${digest.slice(0, 8)}`;
    const first = await apply(the(), body, digest, id);
    expect(first.status, first.text).toBe(202);
    expect(first.json).toMatchObject({ operationId: id, status: "succeeded", digest });
    const again = await apply(the(), body, digest, id);
    expect(again.json).toMatchObject({ operationId: id, actions: [{ action: "create" }, {}, {}] });
    const later = await the().as("tenant-viewer").post(`${base}/plans`, body, of(the()));
    const actions = field(later.json, "actions") as { action: string }[];
    expect(actions.map(({ action }) => action)).toEqual(["unchanged", "unchanged", "unchanged"]);
    const read = await the().as("tenant-viewer").get(`${base}/operations/${id}`, of(the()));
    expect(read.json).toMatchObject({ operationId: id, runtimeSync: [{ status: "applied" }] });
  });

  test("runs until its classifiers are trained", async () => {
    const body = newManifest();
    const [key = ""] = Object.keys(body.classifiers);
    const digest = await plan(the(), body);
    await apply(the(), body, digest, `first-${key}`);
    const builder = the().as("tenant-builder");
    const path = `/v4/data/documents/classifiers/${key}/examples`;
    expect((await builder.post(path, { examples }, of(the()))).status).toBe(201);
    const changed = { ...body, classifiers: { [key]: { ...definition, threshold: 0.7 } } };
    const applied = await apply(the(), changed, await plan(the(), changed), `second-${key}`);
    expect(applied.json).toMatchObject({
      status: "running",
      trainings: [{ classifier: key, status: "queued" }],
    });
    await eventually(async () => {
      const read = await builder.get(`${base}/operations/second-${key}`, of(the()));
      expect(read.json).toMatchObject({ status: "succeeded" });
    });
  });
});
