import { expect } from "vitest";
import { eventually } from "#test/support/eventually.ts";
import { field, type TestPlatform } from "#test/support/platform.ts";
import { collection, datasetsPath, feature, newDataset, point } from "../geo/datasets/world.ts";

export const headers = { "x-tenant-id": "{tenant}" };
export const sent = { ...headers, "content-type": "application/octet-stream" };
export const file = collection(feature(point(1, 2), { name: "One" }, "one"));

/** A dataset with a feature, and one of another workspace. */
export async function dataset(the: TestPlatform): Promise<Record<string, string>> {
  const name = await newDataset(the);
  const of = { headers: { "x-tenant-id": the.workspaces.tenant } };
  const body = { id: "one", geometry: point(1, 2), properties: { name: "One" } };
  const made = await the.as("tenant-staff").post(`${datasetsPath}/${name}/features`, body, of);
  expect(made.status, made.text).toBe(201);
  return { dataset: name, feature: "one", unused: `unused-${name}` };
}

export async function imported(the: TestPlatform): Promise<Record<string, string>> {
  const named = await dataset(the);
  const path = `${datasetsPath}/${named["dataset"]}`;
  const of = { headers: { "x-tenant-id": the.workspaces.tenant } };
  const raw = { headers: { ...of.headers, "content-type": "text/plain" }, rawBody: file };
  const started = await the.as("tenant-staff").put(`${path}/import`, undefined, raw);
  const jobId = String(field(started.json, "jobId"));
  await eventually(async () => {
    const shown = await the.as("tenant-staff").get(`${path}/imports/${jobId}`, of);
    expect(field(shown.json, "status")).toBe("succeeded");
  });
  return { ...named, jobId, foreignId: crypto.randomUUID() };
}

/** A report with a result that has ended. */
export async function result(the: TestPlatform): Promise<Record<string, string>> {
  const named = await report(the);
  const of = { headers: { "x-tenant-id": the.workspaces.tenant } };
  const path = `/v4/geo/reports/${named["report"]}/results`;
  const started = await the.as("tenant-staff").post(path, undefined, of);
  const id = String(field(started.json, "result"));
  await eventually(async () => {
    const shown = await the.as("tenant-staff").get(`${path}/${id}`, of);
    expect(field(shown.json, "status"), shown.text).toBe("succeeded");
  });
  return { ...named, result: id };
}

/** A dataset with a report about it. */
export async function report(the: TestPlatform): Promise<Record<string, string>> {
  const named = await dataset(the);
  const of = { headers: { "x-tenant-id": the.workspaces.tenant } };
  const body = { report: named["dataset"], source: { dataset: named["dataset"] }, by: grid };
  const made = await the.as("tenant-staff").post("/v4/geo/reports", body, of);
  expect(made.status, made.text).toBe(201);
  return { ...named, report: String(named["dataset"]) };
}

export const grid = { kind: "grid", degrees: 10 };

export const badName = {
  name: "a name that is not in kebab-case",
  params: { dataset: "City_Parks" },
  pointers: ["#/path/dataset"],
};
export const unknownQuery = {
  name: "an unknown name",
  query: "?force=1",
  pointers: ["#/query/force"],
};

/** Cases of a route that only reads: the first one is good, and a parameter is unknown. */
export const reading = (name: string, answers: object, query = "") => ({
  before: dataset,
  good: [{ name, answers, query }] as const,
  bad: [{ ...unknownQuery, status: 400, code: "malformed-request" as const }],
});
