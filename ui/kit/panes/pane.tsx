import { Box, type DOMElement } from "ink";
import { Text } from "../theme/text.tsx";
import { useLayoutEffect, useRef, type ReactNode, type RefObject } from "react";
import { useColours, useStyle } from "../theme/use-look.tsx";
import { clipText, textWidth } from "../text/text-layout.ts";
import { mousePart, type MouseRegion } from "../mouse/mouse.ts";
import { usePart } from "../state/part.ts";
import { Area } from "../theme/paint.tsx";
import type { PaneTabs } from "./tabs.ts";

export interface PaneProps {
  readonly title: string;
  /** Tabs in the upper edge, after the title. */
  readonly tabs?: PaneTabs | undefined;
  readonly facts?: readonly string[];
  /** Shown at the right end of the edge, where there is room for it. */
  readonly corner?: string | undefined;
  readonly width: number;
  readonly height: number;
  readonly focused?: boolean;
  /** Called for a click, to focus the pane. */
  readonly onClick?: (() => void) | undefined;
  readonly children?: ReactNode;
}

export const paneBorder = 2;

const lightEdge = ["┌", "─", "┐"] as const;
const heavyEdge = ["┏", "━", "┓"] as const;

interface TabText {
  readonly text: string;
  readonly isOpen: boolean;
  /** The tab of the text; undefined for signs of further ones. */
  readonly name?: string;
}

const gap = 2;
const more = "…";

function textOf(name: string, isOpen: boolean): string {
  return isOpen ? `[${name}]` : ` ${name} `;
}

/**
 * The tabs in at most `room` columns, the open one in brackets. Where not all fit, those around the
 * open one are shown; none where the open one does not fit.
 */
function tabTexts({ names, open }: PaneTabs, room: number): TabText[] {
  const at = Math.max(0, names.indexOf(open ?? ""));
  const texts = names.map((name) => textOf(name, name === open));
  const widthOf = (from: number, to: number): number => {
    const shown = texts.slice(from, to);
    const ends = (from > 0 ? gap : 0) + (to < texts.length ? gap : 0);
    return shown.reduce((sum, text) => sum + textWidth(text) + 1, -1) + ends;
  };
  let [from, to] = [at, Math.min(at + 1, texts.length)];
  const alone = texts[at] ?? "";
  if (to === from || textWidth(alone) > room) return [];
  if (widthOf(from, to) > room) return [{ text: alone, isOpen: true, name: names[at] ?? "" }];
  for (;;) {
    if (to < texts.length && widthOf(from, to + 1) <= room) to += 1;
    else if (from > 0 && widthOf(from - 1, to) <= room) from -= 1;
    else break;
  }
  const shown = [
    ...(from > 0 ? [{ text: `${more} `, isOpen: false }] : []),
    ...names.slice(from, to).map((name, index) => ({
      text: `${index === 0 ? "" : " "}${texts[from + index] ?? ""}`,
      isOpen: name === open,
      name,
    })),
    ...(to < texts.length ? [{ text: ` ${more}`, isOpen: false }] : []),
  ];
  return shown.map((tab, index) =>
    index === shown.length - 1 ? { ...tab, text: tab.text.trimEnd() } : tab,
  );
}

interface EdgePart {
  readonly text: string;
  readonly as: "border" | "title" | "tab";
  /** The tab that a click on it opens. */
  readonly name?: string | undefined;
}

/** The upper edge in `width` columns: the title, the tabs, the facts and the corner. */
export function topEdge(
  { title, tabs, facts = [], corner = "", width }: Omit<PaneProps, "height">,
  [left, line, right]: readonly [string, string, string],
): EdgePart[] {
  const room = Math.max(0, width - 5);
  const separator = ` ${line} `;
  const [fact] = facts;
  // A long title leaves room for the first fact, such as a page number or a count.
  const factWidth = fact === undefined ? 0 : textWidth(separator + fact);
  const all = tabs === undefined ? [] : tabTexts(tabs, room - factWidth);
  const tabsWidth = all.reduce((sum, { text }) => sum + textWidth(text), 0);
  // An open tab that is called like the pane is its title.
  const isNamed = all.length > 0 && tabs?.open?.toLowerCase() === title.toLowerCase();
  const taken = factWidth + (tabsWidth === 0 ? 0 : tabsWidth + 3);
  const shown = isNamed ? "" : clipText(title, Math.max(Math.floor(room / 2), room - taken));
  const before = shown === "" ? 0 : textWidth(shown) + 3;
  const fitted = tabs === undefined ? [] : tabTexts(tabs, room - factWidth - before);
  const head: EdgePart[] = [
    ...(shown === "" ? [] : [{ text: shown, as: "title" } as const]),
    ...(shown === "" || fitted.length === 0 ? [] : [{ text: separator, as: "border" } as const]),
    ...fitted.map(
      ({ text, isOpen, name }) => ({ text, as: isOpen ? "title" : "tab", name }) as const,
    ),
  ];
  const headWidth = head.reduce((sum, { text }) => sum + textWidth(text), 0);
  const rest = clipText(facts.map((each) => separator + each).join(""), room - headWidth);
  const free = Math.max(0, width - 4 - headWidth - textWidth(rest));
  const end = corner === "" ? "" : ` ${corner} ${line}`;
  const lines = free - textWidth(end);
  // With less than two columns of line, the corner would read as another fact.
  const edge = lines < 2 ? line.repeat(free) : line.repeat(lines) + end;
  return [
    { text: `${left} `, as: "border" },
    ...head,
    { text: `${rest} ${edge}${right}`, as: "border" },
  ];
}

/** The tab at a column of the upper edge. */
function tabAt(edge: readonly EdgePart[], x: number): string | undefined {
  let end = 0;
  return edge.find(({ text }) => (end += textWidth(text)) > x)?.name;
}

/** Takes clicks as `useMouse` does, without loading its file at each step of a cursor. */
function useClicks(region: MouseRegion): RefObject<DOMElement | null> {
  const mouse = usePart(mousePart);
  const node = useRef<DOMElement | null>(null);
  const latest = useRef(region);
  useLayoutEffect(() => {
    latest.current = region;
  });
  useLayoutEffect(() => mouse.add({ node, region: latest }), [mouse]);
  return node;
}

/** A framed part of the screen; without colours the focused one has a heavy frame. */
export function Pane(props: PaneProps) {
  const { width, height, focused = false, children } = props;
  const border = useStyle(focused ? "focus" : "border");
  const title = useStyle(focused ? "focus" : "title");
  const tab = useStyle("quiet");
  const isHeavy = useColours() ? false : focused;
  const styles = { border, title, tab };
  const edge = topEdge(props, isHeavy ? heavyEdge : lightEdge);
  const choose = props.tabs?.choose;
  const node = useClicks({
    scope: "place",
    press: (x, y) => {
      const name = y === 0 ? tabAt(edge, x) : undefined;
      if (name !== undefined) choose?.(name);
      else props.onClick?.();
    },
  });
  return (
    <Area width={width} height={height} node={node}>
      <Text wrap="truncate-end">
        {edge.map(({ text, as }, index) => (
          <Text key={index} {...styles[as]} bold={as === "title"}>
            {text}
          </Text>
        ))}
      </Text>
      <Box
        borderStyle={isHeavy ? "bold" : "single"}
        borderTop={false}
        {...(border.color === undefined ? {} : { borderColor: border.color })}
        flexDirection="column"
        flexShrink={0}
        width={width}
        height={Math.max(0, height - 1)}
        overflow="hidden"
      >
        {children}
      </Box>
    </Area>
  );
}
