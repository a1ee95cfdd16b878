import { expect, test } from "vitest";
import { runCommand } from "../../world.ts";
import { makeNote, makeNotes, start } from "../data-directories.ts";

test("svc serve quota sets and lists limits, with what is used", async () => {
  const the = await start();
  await makeNotes(the);
  await makeNote(the, 1);
  const place = ["--data-dir", the.dataDirectory];
  const none = await runCommand(["serve", "quota", "list", ...place]);
  expect(none.stderr).toContain("No workspace has a quota");
  const set = ["serve", "quota", "set", "tenant", ...place];
  const done = await runCommand([...set, "--bytes", "2K", "--records", "5", "--format", "json"]);
  expect(done).toMatchObject({
    exitCode: 0,
    json: { slug: "tenant", quota: { bytes: 2048, records: 5 }, usage: { records: 1 } },
  });
  await runCommand([...set, "--bytes", "none"]);
  const log = await the
    .as("tenant-admin")
    .get(`/v4/platform/tenants/${the.workspaces.tenant}/audit?action=serve.quota`);
  expect(log.json).toMatchObject({
    items: [
      { changes: { before: { bytes: 2048 }, after: { bytes: null, records: 5 } } },
      { actorName: "operator", address: "this machine", changes: { before: { bytes: null } } },
    ],
  });
  const list = await runCommand(["serve", "quota", "list", ...place]);
  expect(list.stdout).toMatch(/tenant +1 of 5 +0 of no limit +0 of no limit +no limit/);
  for (const [words, code] of [
    [["--records", "many"], "E304"],
    [["--records", "2K"], "E304"],
    [[], "E305"],
  ] as const) {
    const refused = await runCommand([...set, ...words, "--format", "json"]);
    expect(refused).toMatchObject({ exitCode: 2, json: { error: { code } } });
  }
  const unknown = ["serve", "quota", "set", "nowhere", "--records", "1", ...place];
  expect((await runCommand(unknown)).stderr).toContain("Workspace nowhere not found");
});
