import { expect, test } from "vitest";
import { sent } from "../../stub-platform.ts";

test("only the given parts change", async () => {
  expect(await sent("geo report update trees --title New")).toMatchObject({
    exitCode: 0,
    requests: [["geoReports.update", { report: "trees" }, { title: "New" }]],
  });
  expect(await sent("geo report update trees")).toMatchObject({ exitCode: 2, requests: [] });
});

test("a list of items has no metrics", async () => {
  const { requests } = await sent("geo report update trees --nearest 5 --at 1,2");
  expect(requests[0]?.[2]).toMatchObject({ by: { kind: "nearest" }, metrics: null });
});
