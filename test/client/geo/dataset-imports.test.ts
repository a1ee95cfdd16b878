import { expect, test } from "vitest";
import { createClient } from "#client/index.ts";
import { followImport } from "#client/geo/dataset-imports.ts";

const started = {
  jobId: "0195b3a4-0000-7000-8000-00000000000a",
  dataset: "parks",
  status: "queued",
};

function clientThatAnswers(statuses: readonly string[]) {
  const left = [...statuses];
  return createClient({
    baseUrl: "http://127.0.0.1:1",
    token: "t",
    tenantId: "0195b3a4-0000-7000-8000-000000000001",
    fetch: async () => {
      const status = left.shift() ?? "running";
      return await Promise.resolve(Response.json({ ...started, status }));
    },
  });
}

test("an import is read until it has ended, or its time is over", async () => {
  const states: string[] = [];
  const options = {
    endsAtMs: Date.now() + 60_000,
    onState: ({ status }: { readonly status: string }) => void states.push(status),
  };
  const end = await followImport(clientThatAnswers(["running", "succeeded"]), started, options);
  expect(end.status).toBe("succeeded");
  expect(states).toEqual(["running", "succeeded"]);
  const over = await followImport(clientThatAnswers([]), started, { ...options, endsAtMs: 0 });
  expect(over).toBe(started);
});
