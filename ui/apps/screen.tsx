import { useCallback, useMemo } from "react";
import type { WorkflowReadiness } from "#contract/apps/workflows.ts";
import { given } from "#lib/given.ts";
import { useAgeTime, useKeyOffer } from "../kit/keys/use-keys.ts";
import { DetailPane } from "../kit/panes/detail-pane.tsx";
import { tablePlace, type DetailProps, type TableRequest } from "../kit/places/list-place.tsx";
import { rowHas, rowSearch } from "../kit/places/row-search.ts";
import { tabbedPlace } from "../kit/places/tabbed-place.tsx";
import { useWorkspaces } from "../shell/platform/use-workspaces.ts";
import { appKeys, type AppKeys, type WorkflowFacts } from "./keys.ts";
import { useAppHandlers, useWorkflowHandlers } from "./use-app-handlers.ts";
import {
  appId,
  useApps,
  useProvisioning,
  useProvisioningJobs,
  useWorkflows,
  useWorkflowStatus,
  workflowKey,
  type App,
  type AppTable,
  type WorkflowTable,
} from "./use-apps.ts";
import { appColumns, appLines, appName, workflowColumns, workflowLines } from "./words.ts";

function useAppTable({ height, filter: { text } }: TableRequest): AppTable {
  const { value: memberships } = useWorkspaces();
  const has = (app: App) => rowHas(appColumns(Date.now(), memberships), app, text);
  const list = useApps(height, { text, has });
  const jobs = useProvisioningJobs();
  const nowMs = useAgeTime(list.sample);
  const columns = useMemo(() => appColumns(nowMs, memberships), [nowMs, memberships]);
  return { list, columns, jobs };
}

/** The enrolled apps with the provisioning of the selected one. */
const apps = tablePlace<App, AppKeys, AppTable>({
  name: "apps",
  title: "Apps",
  loading: "Loading the apps",
  search: rowSearch("apps"),
  useTable: useAppTable,
  useHandlers: useAppHandlers,
  command: (app, { table: { jobs } }) =>
    app === undefined
      ? [["app", "list"]]
      : [["app", "provision", app.key], given({ "job-id": jobs.jobIdOf(app.key) })],
  empty: {
    words: "No app is enrolled in this workspace.",
    offer: [appKeys.enrollApp, "enrolls one"],
  },
  Detail: AppDetail,
});

function AppDetail({ shown, area, focused }: DetailProps<App, AppTable>) {
  const { row: app } = shown;
  const { value: memberships } = useWorkspaces();
  const { job, failure } = useProvisioning(app);
  const nowMs = useAgeTime(job);
  const offer = useKeyOffer()(appKeys.provisionApp, "provisions it, step by step.");
  const views = useMemo(
    () => ({
      app: (one: App, width: number) =>
        appLines(one, { width, nowMs, job, failure, memberships, offer }),
    }),
    [nowMs, job, failure, memberships, offer],
  );
  return (
    <DetailPane<App>
      area={area}
      focused={focused}
      kind="app"
      title={app === undefined ? "details" : appName(app)}
      item={app}
      keyOf={appId}
      views={views}
    />
  );
}

function useWorkflowTable({ height, filter: { text } }: TableRequest): WorkflowTable {
  const has = useCallback((row: WorkflowReadiness) => rowHas(workflowColumns, row, text), [text]);
  return { ...useWorkflows(height, has), columns: workflowColumns };
}

/** The status of the selected workflow decides about its keys. */
function useWorkflowState(row: WorkflowReadiness | undefined): { readonly facts: WorkflowFacts } {
  const { value } = useWorkflowStatus(row?.workflow_key);
  return { facts: { workflowStatus: value?.status ?? row?.status } };
}

/** The workflows with their readiness; the status and the request of the selected one. */
const workflows = tablePlace<WorkflowReadiness, AppKeys, WorkflowTable>({
  name: "workflows",
  title: "Workflows",
  loading: "Loading the workflows",
  search: rowSearch("workflows"),
  useTable: useWorkflowTable,
  useHandlers: useWorkflowHandlers,
  useRowKeys: useWorkflowState,
  copied: workflowKey,
  command: (row) =>
    row === undefined ? [["workflow", "readiness"]] : [["workflow", "status", workflowKey(row)]],
  missing: { words: "This platform does not report the readiness of workflows." },
  empty: {
    words: "This workspace has no workflow.",
    offer: [appKeys.requestOther, "asks the operators for one"],
  },
  Detail: WorkflowDetail,
});

function WorkflowDetail({ shown, area, focused }: DetailProps<WorkflowReadiness, WorkflowTable>) {
  const { row: workflow } = shown;
  const { value: runtime, failure } = useWorkflowStatus(workflow?.workflow_key);
  const nowMs = useAgeTime(runtime);
  const offer = useKeyOffer()(appKeys.requestWorkflow, "asks the operators for it.");
  const views = useMemo(
    () => ({
      workflow: (row: WorkflowReadiness, width: number) =>
        workflowLines(row, { width, nowMs, runtime, failure, offer }),
    }),
    [nowMs, runtime, failure, offer],
  );
  return (
    <DetailPane<WorkflowReadiness>
      area={area}
      focused={focused}
      kind="workflow"
      title={workflow?.workflow_key ?? "details"}
      item={workflow}
      keyOf={workflowKey}
      views={views}
    />
  );
}

/** The apps that are enrolled in the workspace, and its workflows. */
export const AppsScreen = tabbedPlace("apps", { apps, workflows });
