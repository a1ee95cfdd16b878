import type { LooseInput } from "./request/encode.ts";

const nouns: Readonly<Record<string, string>> = {
  documentId: "Document",
  jobId: "Job",
  conversationId: "Conversation",
  objectTypeId: "Object Type",
  objectType: "Object Type",
  workflowId: "Workflow",
  workflowKey: "Workflow",
  propertyName: "File",
  value: "Record",
  action: "Action",
  oid: "User",
  memberId: "Member",
  invitationId: "Invitation",
  roleDefinitionId: "Role",
  keyId: "Key",
  clientId: "Client",
  sessionId: "Session",
  factorId: "Factor",
  ruleId: "Rule",
  alertId: "Alert",
  alertRuleId: "Alert rule",
  operationId: "Operation",
  typeKey: "Document type",
  analyzerKey: "Analyzer",
  classifierKey: "Classifier",
  exampleId: "Example",
  token: "Signed link",
  endpointId: "Webhook endpoint",
  deliveryId: "Delivery",
  childId: "Workspace",
  parentId: "Workspace",
  tenantId: "Workspace",
  product: "App",
  path: "Route",
  source: "Webhook source",
  receivedId: "Received call",
  dataset: "Dataset",
  feature: "Feature",
  report: "Report",
  result: "Result",
  archiveId: "Archive",
  importId: "Import",
};

/** Things that the body of a request names by a secret, which an error must not repeat. */
const bodyNouns: Readonly<Record<string, string>> = {
  "/v4/identity/invitations/accept": "Invitation",
  "/v4/identity/invitations/decline": "Invitation",
};

/** The requested thing for "{resource} not found": the last parameter of the path. */
export function subjectOf(
  route: { readonly method: string; readonly path: string },
  input: Pick<LooseInput, "params" | "tenantId">,
  tenantId: string | undefined,
): string {
  const params = new Map<string, unknown>(
    Object.entries({ tenantId: input.tenantId ?? tenantId, ...input.params }),
  );
  const given = (name: string) => {
    const value = params.get(name);
    return typeof value === "string" ? value : undefined;
  };
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? []);
  const last = names.findLast((name) => given(name) !== undefined);
  if (last === undefined) return bodyNouns[route.path] ?? `${route.method} ${route.path}`;
  if (last === "stage") return workflowSubject(given("workflowId") ?? "", given(last) ?? "");
  const record = `${given("objectType") ?? "Record"} ${given("id") ?? ""}`;
  if (last === "id") return record;
  if (last === "page") return `Page ${given(last)} of document ${given("documentId") ?? ""}`;
  // The record itself may be missing.
  const owner = last === "propertyName" || last === "action" ? ` of ${record}` : "";
  return `${nounOf(last, route.path)} ${given(last) ?? ""}${owner}`;
}

/** The subject of a stage; either name may be empty. */
export function workflowSubject(workflowId: string, stage: string): string {
  return `Workflow ${workflowId} with stage ${stage}`;
}

function nounOf(name: string, path: string): string {
  if (name !== "key") return nouns[name] ?? name;
  return path.includes("/apps/") ? "App" : "Starter template";
}
