import { beforeAll, expect, test } from "vitest";
import { withAppTypes } from "#test/server/domains/apps/world.ts";
import { commandWorld } from "../world.ts";

const the = commandWorld();

beforeAll(async () => {
  await withAppTypes(the().platform, the().platform.workspaces.tenant);
  expect(await the().svc("app create Portal --status active")).toMatchObject({ exitCode: 0 });
});

test("readiness, status and request tell what is missing, until the workflow is available", async () => {
  const unknown = await the().json("workflow status triage");
  expect(unknown).toMatchObject({ exitCode: 0, json: { status: "unsupported" } });
  const asked = await the().json(["workflow", "request", "triage", "--reason", "We need it"]);
  expect(asked).toMatchObject({ exitCode: 0, json: { status: "accepted" } });
  const waiting = await the().json("workflow status triage");
  expect(waiting.json).toMatchObject({
    status: "operator_required",
    reason: expect.stringContaining("svc workflow provision"),
    requestedAt: expect.any(String),
  });
  expect(await the().svc("workflow provision triage --app portal")).toMatchObject({ exitCode: 0 });
  const ready = await the().svc("workflow readiness triage");
  expect(ready).toMatchObject({ exitCode: 0 });
  expect(ready.stdout).toMatch(/triage +yes +available/);
  const both = await the().json("workflow readiness triage nothing");
  expect(both).toMatchObject({
    exitCode: 1,
    json: {
      items: [
        { workflow_key: "triage", ready: true },
        { workflow_key: "nothing", ready: false, status: "unsupported" },
      ],
    },
  });
  const again = await the().json("workflow request triage");
  expect(again).toMatchObject({ exitCode: 1, json: { error: { code: "E205" } } });
});
