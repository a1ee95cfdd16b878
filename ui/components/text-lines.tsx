import { Text } from "ink";
import { memo, type ReactNode } from "react";
import { useSkin } from "../hooks/use-theme.tsx";
import type { StyledLine } from "../styled-lines.ts";
import type { Skin } from "../theme.ts";
import { Area, Line } from "./paint.tsx";

export interface TextLinesProps {
  /** Already wrapped to the width and harmless. */
  readonly lines: readonly StyledLine[];
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Lines are made anew for each record; most of them say what the ones before said. */
function sameLine(a: { readonly line: StyledLine }, b: { readonly line: StyledLine }): boolean {
  return (
    a.line.length === b.line.length &&
    a.line.every((span, index) => {
      const other = b.line[index];
      return span.text === other?.text && span.as === other.as;
    })
  );
}

/** A line in as few pieces as its colours allow: each piece costs in every frame. */
function pieces(line: StyledLine, skin: Skin): ReactNode[] {
  const drawn: ReactNode[] = [];
  let plain = "";
  for (const { text, as = "text" } of line) {
    // The line itself has the look of plain text.
    if (as === "text") plain += text;
    else {
      drawn.push(
        plain,
        <Text key={drawn.length} {...skin[as]}>
          {text}
        </Text>,
      );
      plain = "";
    }
  }
  return plain === "" ? drawn : [...drawn, plain];
}

const TextLine = memo(function TextLine(props: { readonly line: StyledLine }) {
  const skin = useSkin();
  const [first, ...rest] = props.line;
  if (first === undefined || (rest.length === 0 && first.text === "")) return <Line> </Line>;
  if (rest.length === 0) return <Line as={first.as ?? "text"}>{first.text}</Line>;
  return <Line>{pieces(props.line, skin)}</Line>;
}, sameLine);

/** A window into any number of lines; what is not visible is not drawn. */
export function TextLines(props: TextLinesProps) {
  const { lines, top, width, height } = props;
  return (
    <Area width={width} height={height}>
      {lines.slice(top, top + height).map((line, index) => (
        <TextLine key={top + index} line={line} />
      ))}
    </Area>
  );
}
