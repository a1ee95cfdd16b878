import { expect } from "vitest";
import type { Ids } from "#commands/verify/isolation/cells.ts";
import { field, type Answered, type Caller, type TestPlatform } from "#test/support/platform.ts";

/** The answer, which must be a success. */
export function good(answered: Answered): Answered {
  expect({ status: answered.status, text: answered.text }).toMatchObject({
    status: expect.toSatisfy((status: number) => status < 300),
  });
  return answered;
}

/** A text at a place of an answer. */
export const textOf = ({ json }: Answered, ...names: readonly string[]): string =>
  String(names.reduce<unknown>((value, name) => field(value, name), json));

const sent = { "content-type": "application/octet-stream" };

/** An archive, an import of bytes that are no archive, and an import of records. */
export async function archiveAndImports(
  call: Caller,
  workspace: string,
  { word, objectType }: { readonly word: string; readonly objectType: string },
): Promise<Ids> {
  const path = `/v4/platform/tenants/${workspace}`;
  const archive = good(await call.post(`${path}/archives`, { groups: ["types"] }));
  const noArchive = { headers: sent, rawBody: "no archive" };
  const started = good(await call.post(`${path}/archive-imports`, undefined, noArchive));
  const file = { digest: "ab".repeat(32), filename: `${word}.csv` };
  const imports = `/v4/data/resources/${workspace}/${objectType}/imports`;
  const begun = good(await call.post(imports, file));
  return {
    archiveId: textOf(archive, "id"),
    archiveImportId: textOf(started, "id"),
    importId: textOf(begun, "id"),
  };
}

/** A dataset with a feature, which has a secret word in it, and an import that fails. */
export async function datasetWithFeature(
  call: Caller,
  workspace: string,
  word: string,
): Promise<Ids> {
  const headers = { "x-tenant-id": workspace };
  const path = "/v4/geo/datasets";
  const body = { dataset: `parks-${word}`, title: word };
  const dataset = textOf(good(await call.post(path, body, { headers })), "dataset");
  const feature = { geometry: null, properties: { word } };
  const made = good(await call.post(`${path}/${dataset}/features`, feature, { headers }));
  const noFeatures = { headers: { ...headers, ...sent }, rawBody: word };
  const begun = good(await call.put(`${path}/${dataset}/import`, undefined, noFeatures));
  return { dataset, feature: textOf(made, "id"), datasetImportId: textOf(begun, "jobId") };
}

/** A source of calls from outside with a call, which has a secret word in it. */
export async function calledSource(
  the: TestPlatform,
  call: Caller,
  workspace: string,
  word: string,
): Promise<Ids> {
  const headers = { "x-tenant-id": workspace };
  const secret = "a secret of the sender";
  const body = { name: word, scheme: { type: "token" }, secret };
  const source = textOf(good(await call.post("/v4/webhooks/sources", body, { headers })), "source");
  const called = await the.as("nobody").post(`/v4/webhooks/${source}`, undefined, {
    rawBody: JSON.stringify(word),
    headers: { "x-webhook-token": secret },
  });
  return { source, receivedId: textOf(good(called), "id") };
}
