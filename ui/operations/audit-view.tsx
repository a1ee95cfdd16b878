import type { ShellKeys } from "../shell/keys.ts";
import { Box } from "ink";
import { useMemo, useState } from "react";
import type { AuditEntry } from "#client/index.ts";
import { PromptLine } from "../kit/input/prompt-line.tsx";
import { filterHint } from "../kit/keys/base-keys.ts";
import { useAgeTime, useKeys } from "../kit/keys/use-keys.ts";
import { ListPane, listRows } from "../kit/lists/list-pane.tsx";
import type { TabMoves } from "../kit/panes/tabbed-place.tsx";
import { useLayout, usePanes } from "../kit/panes/use-panes.ts";
import { useRemembered } from "../kit/state/use-remembered.ts";
import type { Column } from "../kit/table/columns.ts";
import { ageWords } from "../kit/text/words.ts";
import { useCopy, useCopyCommand } from "../shell/use-copy.ts";
import { useRouter } from "../shell/use-router.ts";
import { auditQuery, useAudit } from "./use-audit.ts";

const panes = ["operations"];
const promptRows = 2;

function entryColumns(nowMs: number): Column<AuditEntry>[] {
  return [
    {
      id: "action",
      title: "action",
      value: ({ action }) => action,
      priority: 0,
      pinned: true,
      minimum: 20,
    },
    {
      id: "outcome",
      title: "outcome",
      value: ({ outcome, code }) => (outcome === "done" ? outcome : `${outcome}: ${code ?? ""}`),
      token: ({ outcome }) => (outcome === "done" ? undefined : "warn"),
      priority: 1,
      minimum: 28,
    },
    {
      id: "who",
      title: "who",
      value: ({ actor, actorName }) => actorName ?? (actor === "" ? "anonymous" : actor),
      priority: 2,
      minimum: 16,
    },
    { id: "age", title: "when", value: ({ at }) => ageWords(at, nowMs), priority: 3 },
    { id: "address", title: "from", value: ({ address }) => address, priority: 4, minimum: 10 },
    {
      id: "request",
      title: "request",
      value: ({ requestId }) => requestId,
      priority: 5,
      minimum: 36,
    },
  ];
}

/** The audit log of the workspace, for its admins. */
export function AuditView({ moves }: { readonly moves: TabMoves }) {
  const layout = useLayout();
  const { back } = useRouter();
  const { focused } = usePanes(panes);
  const copy = useCopy();
  const copyCommand = useCopyCommand();
  const [filter, setFilter] = useRemembered("filter audit", "");
  const [typing, setTyping] = useState(false);
  const height = layout.height - (typing ? promptRows : 0);
  const list = useAudit(filter, listRows(height));
  const nowMs = useAgeTime(list.sample);
  const columns = useMemo(() => entryColumns(nowMs), [nowMs]);
  useKeys<ShellKeys>(
    "place",
    {
      nextTab: moves.nextTab,
      previousTab: moves.previousTab,
      filter: () => setTyping(true),
      copyText: list.cursor.act(({ requestId }) => copy(requestId)),
      copyCommand: () => copyCommand.inWorkspace(["audit", "list"], auditQuery(filter)),
      goBack: filter === "" ? (moves.toFirst ?? back) : () => setFilter(""),
    },
    { active: !typing, facts: { rows: list.count } },
  );
  return (
    <Box flexDirection="column" flexShrink={0} width={layout.width} height={layout.height}>
      {typing ? (
        <PromptLine
          label="filter"
          initial={filter}
          placeholder="refused, failed, done, or a route such as members.*"
          width={layout.width}
          onSubmit={(text) => {
            setFilter(text.trim());
            setTyping(false);
          }}
          onCancel={() => setTyping(false)}
        />
      ) : null}
      <ListPane<AuditEntry>
        title="Audit log"
        facts={filter === "" ? [] : [`only ${filter}`]}
        list={list}
        columns={columns}
        width={layout.width}
        height={height}
        focused={!typing && focused === "operations"}
        loading="Loading the audit log"
        empty={
          filter === ""
            ? { words: "The audit log has no entries yet." }
            : { words: "No entry matches this filter.", next: filterHint() }
        }
      />
    </Box>
  );
}
