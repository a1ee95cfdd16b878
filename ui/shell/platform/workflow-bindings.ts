/** The Object Type whose records bind a workflow to an app. */
export const bindingType = "vertical-product-config";

function firstText(data: Readonly<Record<string, unknown>>, names: readonly string[]) {
  for (const name of names) {
    const value = data[name];
    if (typeof value === "string" && value.trim() !== "") return value;
  }
  return undefined;
}

/** An app and a workflow that are bound to each other. */
export interface KeyPair {
  readonly appKey: string;
  readonly workflowKey: string;
}

/** The pair that a stored binding names; field names differ between deployments. */
export function keyPairOf(data: Readonly<Record<string, unknown>>): KeyPair | undefined {
  const appKey = firstText(data, ["vertical_key", "verticalKey", "app_key", "appKey"]);
  const workflowKey = firstText(data, ["workflow_key", "workflowKey"]);
  return appKey === undefined || workflowKey === undefined ? undefined : { appKey, workflowKey };
}
