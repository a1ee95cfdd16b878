import { expect } from "vitest";
import type { DatasetImport } from "#contract/geo/datasets.ts";
import { eventually } from "#test/support/eventually.ts";
import { field, type TestPlatform, type TestUser } from "#test/support/platform.ts";

export const datasetsPath = "/v4/geo/datasets";

/** Header fields that name a workspace. */
export function inWorkspace(workspace: string): { readonly headers: Record<string, string> } {
  return { headers: { "x-tenant-id": workspace } };
}

export const point = (x: number, y: number) => ({ type: "Point", coordinates: [x, y] });

export function feature(geometry: unknown, properties: object = {}, id?: string) {
  return { type: "Feature", ...(id === undefined ? {} : { id }), geometry, properties };
}

export function collection(...features: readonly object[]): string {
  return JSON.stringify({ type: "FeatureCollection", features });
}

let made = 0;

/** Makes an empty dataset with a new name in the first workspace. */
export async function newDataset(
  the: TestPlatform,
  as: TestUser = "tenant-builder",
): Promise<string> {
  const dataset = `dataset-${(made += 1)}`;
  const workspace = as === "outsider" ? the.workspaces.other : the.workspaces.tenant;
  const answer = await the.as(as).post(datasetsPath, { dataset }, inWorkspace(workspace));
  expect(answer.status, answer.text).toBe(201);
  return dataset;
}

/** Imports a file, and waits for the end of its job. */
export async function imported(
  the: TestPlatform,
  dataset: string,
  rawBody: string,
  query = "",
): Promise<DatasetImport> {
  const { tenant } = the.workspaces;
  const path = `${datasetsPath}/${dataset}`;
  const headers = { "x-tenant-id": tenant, "content-type": "application/octet-stream" };
  const staff = the.as("tenant-staff");
  const started = await staff.put(`${path}/import${query}`, undefined, { headers, rawBody });
  expect(started.status, started.text).toBe(202);
  const job = `${path}/imports/${String(field(started.json, "jobId"))}`;
  return eventually(async () => {
    const shown = await staff.get(job, inWorkspace(tenant));
    const state = shown.json as DatasetImport;
    expect(["succeeded", "completed_with_errors", "failed"]).toContain(state.status);
    return state;
  });
}

/** The ids of the features that a list or a search finds. */
export async function idsIn(
  the: TestPlatform,
  dataset: string,
  search: string | object = "",
): Promise<string[]> {
  const { tenant } = the.workspaces;
  const path = `${datasetsPath}/${dataset}/features`;
  const viewer = the.as("tenant-viewer");
  const answer =
    typeof search === "string"
      ? await viewer.get(`${path}${search}`, inWorkspace(tenant))
      : await viewer.post(`${path}/query`, search, inWorkspace(tenant));
  expect(answer.status, answer.text).toBe(200);
  const items = field(answer.json, "items");
  return Array.isArray(items) ? items.map((item) => String(field(item, "id"))) : [];
}
