import { expect, test } from "vitest";
import { id, sent } from "../../stub-platform.ts";

test("an import is cancelled", async () => {
  expect(await sent(`geo imports cancel parks ${id}`)).toMatchObject({
    exitCode: 0,
    requests: [["geoDatasets.cancelImport", { dataset: "parks", jobId: id }]],
    stdout: expect.stringContaining(
      "job       0198f0a0-2222-7000-8000-000000000002\ndataset   word",
    ),
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("geo imports cancel parks")).toMatchObject({ exitCode: 2, requests: [] });
});
