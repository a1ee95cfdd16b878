import { useMemo } from "react";
import type { ObjectType, Resource } from "#client/index.ts";
import type { Area } from "../components/master-detail.tsx";
import { Pane, paneBorder } from "../components/pane.tsx";
import { ScrollView } from "../components/scroll-view.tsx";
import { Empty } from "../components/states.tsx";
import { Tabs } from "../components/tabs.tsx";
import { useKept } from "../hooks/use-kept.tsx";
import { useKeys } from "../hooks/use-keys.tsx";
import { headingOf } from "../record-columns.ts";
import { fieldLines, jsonLines, type Field, type StyledLine } from "../styled-lines.ts";
import { statusLook } from "../theme.ts";
import { valueWords } from "../words.ts";

const tabs = ["fields", "json"];

function actionWords(type: ObjectType, status: string): string {
  const ways = (type.actions ?? []).flatMap((action) => {
    const transition: unknown = "transition" in action ? action["transition"] : undefined;
    if (typeof transition !== "object" || transition === null) return [];
    const from = "from" in transition && Array.isArray(transition.from) ? transition.from : [];
    const to = "to" in transition ? transition.to : undefined;
    return from.includes(status) && typeof to === "string" ? [`${action.name} → ${to}`] : [];
  });
  return ways.length === 0 ? "" : `   (${ways.join(", ")})`;
}

function recordFields(type: ObjectType, record: Resource): Field[] {
  const named = Object.keys(type.properties).filter((name) => name in record.data);
  const others = Object.keys(record.data).filter((name) => !(name in type.properties));
  const fields = [...named, ...others].map((name): Field => {
    const value = valueWords(record.data[name]);
    if (name !== "status") return { name: headingOf(name), value };
    const look = statusLook(value);
    return { name, value: `${look.glyph} ${value}${actionWords(type, value)}`, as: look.token };
  });
  const system: Field[] = [
    { name: "id", value: record.id, as: "quiet" },
    { name: "version", value: String(record.version), as: "quiet" },
    {
      name: "created",
      value: `${record.created_at ?? ""}  ${record.created_by ?? ""}`,
      as: "quiet",
    },
    {
      name: "updated",
      value: `${record.updated_at ?? ""}  ${record.updated_by ?? ""}`,
      as: "quiet",
    },
  ];
  return [...fields, ...system];
}

/** One record: its fields by their names, or as JSON. */
export function RecordDetail(props: {
  readonly area: Area;
  readonly title: string;
  readonly type: ObjectType;
  readonly record: Resource | undefined;
  readonly focused: boolean;
}) {
  const { area, title, type, record, focused } = props;
  const [tab, setTab] = useKept("record tab", "fields");
  const inner = { width: area.width - paneBorder, height: area.height - paneBorder };
  const lines = useMemo<StyledLine[]>(() => {
    if (record === undefined) return [];
    const room = Math.max(1, inner.width - 2);
    const made =
      tab === "json" ? jsonLines(record, room) : fieldLines(recordFields(type, record), room);
    return made.map((line) => [{ text: " " }, ...line]);
  }, [record, type, tab, inner.width]);
  const turn = () => setTab((now) => (now === "json" ? "fields" : "json"));
  useKeys("place", { nextTab: turn, previousTab: turn }, { active: record !== undefined });
  return (
    <Pane title={title} width={area.width} height={area.height} focused={focused}>
      {record === undefined ? (
        <Empty {...inner} words="Nothing is selected." />
      ) : (
        <>
          <Tabs tabs={tabs} open={tab} />
          <ScrollView
            key={record.id}
            lines={lines}
            width={inner.width}
            height={inner.height - 1}
            focused={focused}
          />
        </>
      )}
    </Pane>
  );
}
