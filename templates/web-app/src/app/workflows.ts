import { PlatformError, type Client, type UploadMetadata } from "svc";

/** What an uploaded document belongs to. */
export interface Context {
  readonly title: string;
  readonly metadata: UploadMetadata;
}

/** The Object Type of the records that bind workflows to apps. */
const bindingType = "vertical-product-config";
/** Object Types whose records may have documents. */
const subjects = [
  { slug: "planning-application", key: "planningApplicationId" },
  { slug: "business-request", key: "businessRequestId" },
] as const;

/** The app and the workflow of each binding of the workspace. */
async function bindingsOf(client: Client) {
  const items = await recordsOf(client, bindingType);
  return items.flatMap(({ data }) => {
    const app = data["vertical_key"] ?? data["verticalKey"] ?? data["app_key"];
    const workflow = data["workflow_key"] ?? data["workflowKey"];
    return typeof app === "string" && typeof workflow === "string" ? [{ app, workflow }] : [];
  });
}

/** The keys of the workflows that can answer. */
export async function workflowsOf(client: Client): Promise<readonly string[]> {
  return [...new Set((await bindingsOf(client)).map(({ workflow }) => workflow))];
}

/** The newest records that may have documents, and the bound workflows. */
export async function contextsOf(client: Client): Promise<readonly Context[]> {
  const [bindings, ...records] = await Promise.all([
    bindingsOf(client),
    ...subjects.map(async ({ slug, key }) => {
      const items = await recordsOf(client, slug);
      return items.map(({ data, id }) => {
        const name = typeof data["reference"] === "string" ? data["reference"] : id;
        return { title: name, metadata: { [key]: id } };
      });
    }),
  ]);
  const bound = bindings.map(({ app, workflow }) => ({
    title: `${app} · ${workflow}`,
    metadata: { verticalKey: app, workflowKey: workflow },
  }));
  return [...records.flat(), ...bound];
}

/** The newest records of a type; none where the workspace has no such type. */
async function recordsOf(client: Client, slug: string) {
  try {
    return (await client.useResources(slug).list({ limit: 20 })).items;
  } catch (error) {
    if (error instanceof PlatformError && error.status === 404) return [];
    throw error;
  }
}
