import type { ReactNode } from "react";
import { useKeys } from "../keys/use-keys.ts";
import { useRemembered } from "../state/use-remembered.ts";
import type { Size } from "./layout.ts";
import { Pane, paneBorder } from "./pane.tsx";
import { CautionLine, Empty } from "./states.tsx";
import { tabAfter } from "./tabs.ts";

export interface TabbedPaneProps {
  readonly area: Size;
  /** The kind of item; its open tab is remembered. */
  readonly kind: string;
  readonly title: string;
  readonly isFilled: boolean;
  /** The names of the tabs; a single one is not shown. */
  readonly tabs: readonly string[];
  readonly focused: boolean;
  readonly caution?: string | undefined;
  /** Draws the open tab; `openTab` opens another one. */
  readonly draw: (tab: string, area: Size, openTab: (tab: string) => void) => ReactNode;
}

export function TabbedPane(props: TabbedPaneProps) {
  const { area, kind, title, isFilled, tabs, focused, caution } = props;
  const first = tabs[0] ?? "";
  const [remembered, openTab] = useRemembered(`tab ${kind}`, first);
  const open = tabs.includes(remembered) ? remembered : first;
  const hasTabs = tabs.length > 1;
  useKeys(
    focused ? "pane" : "place",
    {
      nextTab: (count) => openTab(tabAfter(tabs, open, count)),
      previousTab: (count) => openTab(tabAfter(tabs, open, -count)),
    },
    { active: isFilled && hasTabs },
  );
  const inner = { width: area.width - paneBorder, height: area.height - paneBorder };
  const height = inner.height - (caution === undefined ? 0 : 1);
  return (
    <Pane
      title={title}
      tabs={isFilled && hasTabs ? { names: tabs, open, choose: openTab } : undefined}
      width={area.width}
      height={area.height}
      focused={focused}
    >
      {isFilled ? (
        <>
          {caution === undefined ? null : <CautionLine words={caution} width={inner.width} />}
          {props.draw(open, { width: inner.width, height }, openTab)}
        </>
      ) : (
        <Empty {...inner} words="Nothing is selected." />
      )}
    </Pane>
  );
}
