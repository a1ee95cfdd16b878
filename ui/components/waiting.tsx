import { Text } from "ink";
import Spinner from "ink-spinner";
import { useStyle } from "../hooks/use-theme.tsx";
import { Paint } from "./paint.tsx";

/** Moves while something is awaited, and only then: an idle screen writes nothing. */
export function Waiting(props: { readonly words: string }) {
  return (
    <Text wrap="truncate-end" {...useStyle("busy")}>
      {/* Two frames at 250 ms; faster ones cost a tenth of a core. */}
      <Spinner type="toggle" /> <Paint as="quiet">{props.words}</Paint>
    </Text>
  );
}
