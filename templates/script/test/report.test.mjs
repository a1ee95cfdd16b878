import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "svc";
import { report } from "../report.mjs";

test("reports each Object Type of each workspace", async () => {
  const workspace = "01890000-0000-7000-8000-000000000000";
  const fetch = async (request) =>
    Response.json({
      items: request.url.includes("object-types")
        ? [{ id: "t", name: "Task", slug: "task", properties: {} }]
        : [{ id: workspace, slug: "planning" }],
    });
  const client = createClient({ baseUrl: "http://platform.test", token: "t", fetch });
  const lines = [];
  for await (const line of report(client)) lines.push(line);
  assert.deepEqual(lines, ["planning\ttask"]);
});
