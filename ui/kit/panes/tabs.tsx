import { Text } from "ink";
import { useStyle } from "../theme/use-theme.tsx";

/** The tab some steps after the open one, round and round. */
export function tabAfter(tabs: readonly string[], open: string, by: number): string {
  const at = (tabs.indexOf(open) + by) % tabs.length;
  return tabs.at(at) ?? open;
}

/** A line of tabs, the open one marked by brackets as well as by its look. */
export function Tabs(props: { readonly tabs: readonly string[]; readonly open: string }) {
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
}
