import { expect, test } from "vitest";
import { sent, workspace } from "../../stub-platform.ts";

test("a group gets a role", async () => {
  expect(await sent("user rule set planners --role tenant-staff --claim teams")).toMatchObject({
    exitCode: 0,
    requests: [
      [
        "groupRules.set",
        { tenantId: workspace },
        { claim: "teams", value: "planners", role: "tenant-staff" },
      ],
    ],
    stdout:
      "rule     0198f0a0-2222-7000-8000-000000000002\nissuer   word\nclaim    word\nvalue    word\nrole     word\nmembers  1\n",
  });
});

test("wrong words are refused before any request", async () => {
  expect(await sent("user rule set planners")).toMatchObject({ exitCode: 2, requests: [] });
});
