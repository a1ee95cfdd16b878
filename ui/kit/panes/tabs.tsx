import { memo } from "react";
import { Text } from "../theme/text.tsx";
import { useStyle } from "../theme/use-look.tsx";

/** The tab some steps after the open one, continuing at the first. */
export function tabAfter<Tab extends string>(tabs: readonly Tab[], open: Tab, by: number): Tab {
  return tabs.at((tabs.indexOf(open) + by) % tabs.length) ?? open;
}

/** A line of tabs, the open one in brackets. */
export const Tabs = memo(function Tabs(props: {
  readonly tabs: readonly string[];
  readonly open: string;
}) {
  const title = useStyle("title");
  const quiet = useStyle("quiet");
  return (
    <Text wrap="truncate-end">
      {props.tabs.map((tab) => (
        <Text key={tab} {...(tab === props.open ? title : quiet)}>
          {tab === props.open ? `[${tab}] ` : ` ${tab}  `}
        </Text>
      ))}
    </Text>
  );
});
