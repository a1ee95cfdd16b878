import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test.each([
  [
    "--type site --property place --metres 5000",
    {
      source: { kind: "records", objectType: "site", property: "place" },
      by: { kind: "grid", metres: 5000 },
    },
  ],
  [
    "--dataset wards --areas districts --name title --sum size",
    { by: { kind: "areas" }, metrics: { sum: { op: "sum", field: "size" } } },
  ],
])("a report of %s", async (options, body) => {
  const { exitCode, requests } = await sent(`geo report create trees ${options}`);
  expect(exitCode).toBe(0);
  const [route, , given] = requests[0] ?? [];
  expect([route, given]).toMatchObject(["geoReports.create", { report: "trees" }]);
  for (const [name, part] of Object.entries(body)) {
    expect(Object.keys(given as object)).toContain(name);
    if (name === "metrics") expect(given).toMatchObject({ metrics: part });
  }
});

test.each(["", "--dataset wards", "--type site --degrees 1", "--dataset wards --degrees x"])(
  "a report of %j is refused before any request",
  async (options) => {
    expect(await sent(`geo report create trees ${options}`.trim())).toMatchObject({
      exitCode: 2,
      requests: [],
    });
  },
);
