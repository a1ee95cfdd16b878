import { Box, type DOMElement } from "ink";
import type { ReactNode, RefObject } from "react";
import { useColours, useStyle } from "./use-look.tsx";
import { textElement } from "./text.tsx";
import { statusLook, statusWords } from "./theme.ts";
import type { Token } from "./skin.ts";

export function Paint(props: { readonly as?: Token; readonly children?: ReactNode }) {
  return textElement(useStyle(props.as ?? "text"), props.children);
}

export function Line(props: { readonly as?: Token; readonly children?: ReactNode }) {
  return textElement({ wrap: "truncate-end", ...useStyle(props.as ?? "text") }, props.children);
}

export function Lines(props: {
  readonly lines: readonly string[];
  readonly as?: Token;
  readonly margin: number;
}) {
  const { lines, as = "text", margin } = props;
  return lines.map((line, index) => (
    <Line key={index} as={as}>
      {" ".repeat(margin) + line}
    </Line>
  ));
}

/** The selected line of a list; without colours its first column has a mark. */
export function SelectedLine(props: { readonly text: string }) {
  const { text } = props;
  return <Line as="selected">{useColours() ? text : `›${text.slice(1)}`}</Line>;
}

/**
 * A box of exactly this height; without it the layout squeezes lines that do not fit over each
 * other.
 */
export function Area(props: {
  readonly width?: number;
  readonly height: number;
  readonly node?: RefObject<DOMElement | null>;
  readonly children?: ReactNode;
}) {
  return (
    <Box
      {...(props.node === undefined ? {} : { ref: props.node })}
      flexDirection="column"
      flexShrink={0}
      height={Math.max(0, props.height)}
      overflow="hidden"
      {...(props.width === undefined ? {} : { width: Math.max(0, props.width) })}
    >
      {props.children}
    </Box>
  );
}

export function StatusBadge(props: { readonly status: string; readonly words?: string }) {
  const look = statusLook(props.status);
  return (
    <Paint as={look.token}>
      {look.glyph} {props.words ?? statusWords(props.status)}
    </Paint>
  );
}
