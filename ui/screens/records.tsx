import { Box } from "ink";
import { useMemo, useState } from "react";
import type { ObjectType, Resource } from "#client/index.ts";
import { commandLine } from "../command-line.ts";
import type { SortMark } from "../components/data-table.tsx";
import { ListPane, listRows } from "../components/list-pane.tsx";
import { MasterDetail, type Area } from "../components/master-detail.tsx";
import { PromptLine } from "../components/prompt-line.tsx";
import { parseFilter } from "../filter-language.ts";
import { useCopy } from "../hooks/use-copy.ts";
import { useKept } from "../hooks/use-kept.tsx";
import { useKeys } from "../hooks/use-keys.tsx";
import { useLayout } from "../hooks/use-layout.tsx";
import { useNow } from "../hooks/use-now.ts";
import { useOverlays } from "../hooks/use-overlays.tsx";
import { usePanes } from "../hooks/use-panes.tsx";
import { useRecordActions } from "../hooks/use-record-actions.ts";
import { sortText, useResources } from "../hooks/use-resources.ts";
import { useRouter } from "../hooks/use-router.tsx";
import { useUploads } from "../hooks/use-uploads.tsx";
import { splitOf } from "../layout.ts";
import { headingOf, recordColumns, recordName, sortableFields } from "../record-columns.ts";
import { RecordDetail } from "./record-detail.tsx";

const newestFirst: SortMark = { id: "created_at", descending: true };
const panes = ["list", "detail"];
const agesMs = 30_000;
const promptRows = 2;

/** The records of one Object Type: a table over any number of rows, and the selected one's details. */
export function RecordsScreen(props: { readonly type: ObjectType }) {
  const { type } = props;
  const layout = useLayout();
  const { go, back } = useRouter();
  const overlays = useOverlays();
  const copy = useCopy();
  const nowMs = useNow(agesMs);
  const [sort, setSort] = useKept<SortMark>(`sort ${type.slug}`, newestFirst);
  const [filter, setFilter] = useKept<string>(`filter ${type.slug}`, "");
  const [filtering, setFiltering] = useState(false);
  const [detailOpen, setDetailOpen] = useState(false);
  const { focused, focus } = usePanes(panes, { active: !filtering });
  const split = splitOf(layout);
  const listHeight = (split?.list.height ?? layout.height) - (filtering ? promptRows : 0);
  const parsed = parseFilter(filter, type.properties);
  const where = "where" in parsed ? parsed.where : undefined;
  const list = useResources({ objectType: type.slug, sort, where }, listRows(listHeight));
  const actions = useRecordActions(type, list.refresh);
  const uploads = useUploads();
  const { selected } = list;
  const columns = useMemo(() => recordColumns(type, nowMs), [type, nowMs]);

  const chooseSort = () =>
    overlays.show({
      kind: "choose",
      title: "Sort by",
      placeholder: "a field",
      choices: sortableFields(type).map((id) => ({
        id,
        words: headingOf(id),
        beside: sort.id === id ? (sort.descending ? "↓ now" : "↑ now") : undefined,
        choose: () =>
          setSort({ id, descending: sort.id === id ? !sort.descending : id.endsWith("_at") }),
      })),
    });
  const openDetail = () => {
    setDetailOpen(true);
    focus("detail");
  };
  const closeDetail = () => {
    setDetailOpen(false);
    focus("list");
  };
  const inDetail = split === undefined ? detailOpen : focused === "detail";
  const listCommand = commandLine(["resources", "list", type.slug], {
    where: where === undefined ? undefined : JSON.stringify(where),
    sort: sortText(sort) === sortText(newestFirst) ? undefined : sortText(sort),
  });
  useKeys(
    "place",
    {
      filter: () => setFiltering(true),
      sort: chooseSort,
      reverseSort: () => setSort((now) => ({ ...now, descending: !now.descending })),
      edit: () => selected !== undefined && actions.edit(selected),
      create: actions.create,
      delete: () => selected !== undefined && actions.remove(selected),
      upload: uploads.canBelongTo(type.slug)
        ? () => selected !== undefined && uploads.startFor(type.slug, selected)
        : undefined,
      copyCommand: () =>
        copy(
          inDetail && selected !== undefined
            ? commandLine(["resources", "get", type.slug, selected.id])
            : listCommand,
        ),
      copyText: () => selected !== undefined && copy(JSON.stringify(selected.data)),
      goBack: inDetail
        ? closeDetail
        : filter !== ""
          ? () => setFilter("")
          : () => (split === undefined ? go({ place: "resources" }) : back()),
    },
    { active: !filtering, facts: { rows: list.count } },
  );

  const facts = [
    `sort ${headingOf(sort.id)} ${sort.descending ? "↓" : "↑"}`,
    ...(filter === "" ? [] : [`filter ${filter}`]),
  ];
  const drawList = (area: Area) => (
    <Box key="list" flexDirection="column" flexShrink={0} width={area.width} height={area.height}>
      {filtering ? (
        <PromptLine
          label="filter"
          initial={filter}
          placeholder='status:open  amount>1000  "a text"  or {"status":"open"}'
          width={area.width}
          problemOf={(text) => {
            const read = parseFilter(text, type.properties);
            return "problem" in read ? read.problem : undefined;
          }}
          onSubmit={(text) => {
            setFilter(text.trim());
            setFiltering(false);
          }}
          onCancel={() => setFiltering(false)}
        />
      ) : null}
      <ListPane<Resource>
        title={type.slug}
        facts={facts}
        list={list}
        columns={columns}
        sort={sort}
        width={area.width}
        height={area.height - (filtering ? promptRows : 0)}
        focused={!filtering && focused === "list" && (split !== undefined || !detailOpen)}
        loading={`Loading ${type.slug}`}
        empty={
          filter === ""
            ? {
                words: `There is no ${type.slug} yet.`,
                next: "c creates one in your editor. svc resources create does it from a script.",
              }
            : { words: "No record fits this filter.", next: "esc takes it away, / changes it." }
        }
        handlers={{ open: openDetail }}
      />
    </Box>
  );
  return (
    <MasterDetail
      detailOpen={detailOpen}
      list={drawList}
      detail={(area) => (
        <RecordDetail
          key="detail"
          area={area}
          title={selected === undefined ? "details" : recordName(selected)}
          type={type}
          record={selected}
          focused={!filtering && (split === undefined ? detailOpen : focused === "detail")}
        />
      )}
    />
  );
}
