import { expect, test } from "vitest";
import { describePlatform } from "#test/support/platform.ts";
import { definition, of } from "../classifiers/world.ts";
import { analyzer, invoiceType } from "../document-types/world.ts";
import { plan, apply, base } from "./plans.ts";

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
  test("refuses a plan that is no longer current, and another plan of the same operation", async () => {
    const body = newManifest();
    const digest = await plan(the(), body);
    const other = { ...body, analyzers: { ...body.analyzers, more: analyzer } };
    const stale = await apply(the(), other, digest, `stale-${digest.slice(0, 8)}`);
    expect(stale.json).toMatchObject({ status: 412, code: "precondition-failed" });
    const id = `same-${digest.slice(0, 8)}`;
    expect((await apply(the(), body, digest, id)).status).toBe(202);
    const second = await apply(the(), other, await plan(the(), other), id);
    expect(second.json).toMatchObject({ status: 409, code: "conflict" });
    const changed = await the().as("tenant-viewer").get(`${base}/operations`, of(the()));
    expect(changed.text).not.toContain("stale-");
  });
});
