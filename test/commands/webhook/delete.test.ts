import { expect, test } from "vitest";
import { id, sent } from "../stub-platform.ts";

test("an endpoint is deleted by its id", async () => {
  expect(await sent(`webhook delete ${id} --force`)).toMatchObject({
    exitCode: 0,
    requests: [["webhooks.remove", { endpointId: id }]],
    stdout: `Deleted the endpoint ${id}\n`,
  });
});

test("without --force and a terminal nothing is sent", async () => {
  expect(await sent(`webhook delete ${id}`)).toMatchObject({ exitCode: 2, requests: [] });
});
