import type { AppKeys, WorkflowFacts } from "./keys.ts";
import { appKeys } from "./keys.ts";
import { useMemo } from "react";
import type { WorkflowReadiness } from "#contract/workflows.ts";
import { keyOffer } from "../kit/keys/keys.ts";
import { useAgeTime, useKeys } from "../kit/keys/use-keys.ts";
import { ListDetail } from "../kit/lists/list-detail.tsx";
import { listRows } from "../kit/lists/list-pane.tsx";
import { useOpenedRow } from "../kit/lists/use-opened-row.ts";
import { DetailPane } from "../kit/panes/detail-pane.tsx";
import { selectedIn, type LiveList } from "../kit/lists/live-list.ts";
import type { Size } from "../kit/panes/layout.ts";
import type { TabMoves } from "../kit/panes/tabbed-place.tsx";
import { useMasterDetail } from "../kit/panes/use-master-detail.ts";
import { useSelected } from "../kit/state/store.ts";
import { usePlatformLink } from "../shell/platform/use-platform.ts";
import { useRole } from "../shell/platform/use-workspaces.ts";
import { useCopy, useCopyCommand } from "../shell/use-copy.ts";
import { useRouter } from "../shell/use-router.ts";
import { useWorkflowRequest } from "./use-app-actions.ts";
import { useWorkflows, useWorkflowStatus } from "./use-apps.ts";
import { workflowColumns, workflowLines } from "./words.ts";

const workflowKey = ({ workflow_key: key }: WorkflowReadiness) => key;

/** The workflows with their readiness; the status and the request of the selected one. */
export function WorkflowsView({ moves }: { readonly moves: TabMoves }) {
  const { back } = useRouter();
  const role = useRole();
  const copy = useCopy();
  const copyCommand = useCopyCommand();
  const panes = useMasterDetail(true);
  const { list, watch } = useWorkflows(listRows(panes.listHeight));
  const opened = useOpenedRow("workflows", list, panes.detailChosen);
  const { refresh } = usePlatformLink();
  const requests = useWorkflowRequest((key) => {
    watch(key);
    list.reveal(key);
    refresh();
  });
  useKeys<AppKeys, WorkflowFacts>(
    "place",
    {
      requestWorkflow: opened.act((row) => requests.request(workflowKey(row))),
      requestOther: requests.requestOther,
      copyText: opened.act((row) => copy(workflowKey(row))),
      copyCommand: () => {
        const { row } = opened.get();
        copyCommand.inWorkspace(
          row === undefined ? ["workflow", "readiness"] : ["workflow", "status", workflowKey(row)],
        );
      },
      nextTab: moves.nextTab,
      previousTab: moves.previousTab,
      goBack: panes.detailFocused ? panes.close : (moves.toFirst ?? back),
    },
    { facts: { role, rows: list.count } },
  );
  return (
    <>
      <WorkflowFacts list={list} />
      <ListDetail<WorkflowReadiness>
        panes={panes}
        opened={opened}
        title="Workflows"
        list={list}
        columns={workflowColumns}
        loading="Loading the workflows"
        missing={{ words: "This platform does not report the readiness of workflows." }}
        empty={{
          words: "This workspace has no workflow.",
          next: keyOffer(appKeys.requestOther, "asks the operators for one.", role),
        }}
        detail={({ row }, area, focused) => (
          <WorkflowDetail workflow={row} area={area} focused={focused} />
        )}
      />
    </>
  );
}

/** The status of the selected workflow, which decides about its keys. */
function WorkflowFacts({ list }: { readonly list: LiveList<WorkflowReadiness> }) {
  const row = useSelected(list.cursor, () => selectedIn(list));
  const { value } = useWorkflowStatus(row?.workflow_key);
  useKeys<AppKeys, WorkflowFacts>(
    "place",
    {},
    { facts: { workflowStatus: value?.status ?? row?.status } },
  );
  return null;
}

function WorkflowDetail(props: {
  readonly workflow: WorkflowReadiness | undefined;
  readonly area: Size;
  readonly focused: boolean;
}) {
  const { workflow, ...pane } = props;
  const role = useRole();
  const { value: runtime, failure } = useWorkflowStatus(workflow?.workflow_key);
  const nowMs = useAgeTime(runtime);
  const offer = keyOffer(appKeys.requestWorkflow, "asks the operators for it.", role);
  const views = useMemo(
    () => ({
      workflow: (row: WorkflowReadiness, width: number) =>
        workflowLines(row, { width, nowMs, runtime, failure, offer }),
    }),
    [nowMs, runtime, failure, offer],
  );
  return (
    <DetailPane<WorkflowReadiness>
      {...pane}
      kind="workflow"
      title={workflow?.workflow_key ?? "details"}
      item={workflow}
      keyOf={workflowKey}
      views={views}
    />
  );
}
