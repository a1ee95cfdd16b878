import { expect, test } from "vitest";
import { id, sent, workspace } from "../stub-platform.ts";

test("a key gets another role", async () => {
  expect(await sent(`key role ${id} --role tenant-viewer`)).toMatchObject({
    exitCode: 0,
    requests: [["keys.setRole", { tenantId: workspace, keyId: id }, { role: "tenant-viewer" }]],
    stdout: "id    0198f0a0-2222-7000-8000-000000000002\nname  word\nrole  word\n",
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent(`key role ${id}`)).toMatchObject({ exitCode: 2, requests: [] });
});
