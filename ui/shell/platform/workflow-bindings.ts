/** Object Type of the records that bind workflows to apps. */
export const bindingType = "vertical-product-config";

function firstText(data: Readonly<Record<string, unknown>>, names: readonly string[]) {
  for (const name of names) {
    const value = data[name];
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return undefined;
}

export interface KeyPair {
  readonly appKey: string;
  readonly workflowKey: string;
}

/** The app and workflow of a stored binding; field names differ between deployments. */
export function keyPairOf(data: Readonly<Record<string, unknown>>): KeyPair | undefined {
  const appKey = firstText(data, ["vertical_key", "verticalKey", "app_key", "appKey"]);
  const workflowKey = firstText(data, ["workflow_key", "workflowKey"]);
  return appKey === undefined || workflowKey === undefined ? undefined : { appKey, workflowKey };
}
