import { expect, test } from "vitest";
import { ownNeeds, readNeeds, unmetNeed, type Machine } from "#local/release/needs.ts";
import { version } from "#lib/version.ts";
import { migrations } from "#server/schema/migrations.ts";

const needs = { from: "0.4.0", schema: "0029-backups", kernels: { linux: "5.10", darwin: "22.0" } };
const machine: Machine = {
  version: "0.4.2",
  system: "linux",
  kernel: "5.10.0-28-amd64",
  data: { place: "/data", schema: "0038-geo-names-and-results" },
};

test.each<[string, Partial<Machine>, string | undefined, string]>([
  ["of today", {}, undefined, ""],
  ["without data", { data: undefined }, undefined, ""],
  ["of another system", { system: "win32", kernel: "10.0" }, undefined, ""],
  ["with an old version", { version: "0.3.9" }, "version 0.4.0 or newer", "Install version 0.4.0"],
  ["with an old kernel", { kernel: "5.4.0" }, "kernel 5.10 or newer", "Update the system"],
  ["with a kernel of one number", { kernel: "5" }, "kernel 5.10 or newer", "Update the system"],
  [
    "with old data",
    { data: { place: "/data", schema: "0016-feed" } },
    'the change "0029-backups", and /data has "0016-feed"',
    "svc serve migrate --data-dir /data",
  ],
])("a machine %s", (_case, changes, reason, nextStep) => {
  const unmet = unmetNeed(needs, { ...machine, ...changes });
  if (reason === undefined) expect(unmet).toBeUndefined();
  else {
    expect(unmet?.reason).toContain(reason);
    expect(unmet?.nextStep).toContain(nextStep);
  }
});

test("the needs of these sources can be read again, and are met by their own version", () => {
  expect(readNeeds(Buffer.from(JSON.stringify(ownNeeds)))).toEqual(ownNeeds);
  expect(readNeeds(Buffer.from("{}"))).toBeUndefined();
  expect(migrations.map(({ name }) => name)).toContain(ownNeeds.schema);
  expect(unmetNeed(ownNeeds, { ...machine, version })).toBeUndefined();
});
