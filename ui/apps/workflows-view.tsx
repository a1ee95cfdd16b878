import { useMemo } from "react";
import type { WorkflowReadiness } from "#contract/workflows.ts";
import { keyOffer } from "../kit/keys/key-table.ts";
import { useAgeTime } from "../kit/keys/use-age-time.ts";
import { useKeys } from "../kit/keys/use-keys.tsx";
import { ListDetail } from "../kit/lists/list-detail.tsx";
import { listRows } from "../kit/lists/list-pane.tsx";
import { useOpenedRow } from "../kit/lists/use-opened-row.ts";
import { DetailPane } from "../kit/panes/detail-pane.tsx";
import type { TabMoves } from "../kit/panes/tabbed-place.tsx";
import { useMasterDetail } from "../kit/panes/use-master-detail.ts";
import { useRole } from "../shell/platform/use-workspaces.ts";
import { useCopy, useCopyCommand } from "../shell/use-copy.ts";
import { useRouter } from "../shell/use-router.tsx";
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
  const { row: selected } = useOpenedRow("workflows", list, panes.detailChosen);
  const status = useWorkflowStatus(selected?.workflow_key);
  const nowMs = useAgeTime(status.value);
  const requests = useWorkflowRequest((key) => {
    watch(key);
    list.reveal(key);
    status.refresh();
  });
  const offer = keyOffer("requestWorkflow", "asks the operators for it.", role);
  const { value: runtime, failure } = status;
  const views = useMemo(
    () => ({
      workflow: (row: WorkflowReadiness, width: number) =>
        workflowLines(row, { width, nowMs, runtime, failure, offer }),
    }),
    [nowMs, runtime, failure, offer],
  );
  const key = selected?.workflow_key;
  useKeys(
    "place",
    {
      requestWorkflow: () => key !== undefined && requests.request(key),
      requestOther: requests.requestOther,
      copyText: () => key !== undefined && copy(key),
      copyCommand: () =>
        key === undefined
          ? copyCommand.inWorkspace(["workflow", "readiness"])
          : copyCommand.inWorkspace(["workflow", "status", key]),
      nextTab: moves.nextTab,
      previousTab: moves.previousTab,
      goBack: panes.detailFocused ? panes.close : (moves.toFirst ?? back),
    },
    { facts: { role, rows: list.count, workflowStatus: runtime?.status ?? selected?.status } },
  );
  return (
    <ListDetail<WorkflowReadiness>
      panes={panes}
      title="Workflows"
      list={list}
      columns={workflowColumns}
      loading="Loading the workflows"
      missing={{ words: "This platform does not report the readiness of workflows." }}
      empty={{
        words: "This workspace has no workflow.",
        next: keyOffer("requestOther", "asks the operators for one.", role),
      }}
      detail={(area, focused) => (
        <DetailPane<WorkflowReadiness>
          key="detail"
          area={area}
          kind="workflow"
          title={key ?? "details"}
          item={selected}
          keyOf={workflowKey}
          views={views}
          focused={focused}
        />
      )}
    />
  );
}
