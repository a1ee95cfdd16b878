import { memo } from "react";
import type { StyledLine } from "../styled-lines.ts";
import { Area, Line, Paint } from "./paint.tsx";

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

const TextLine = memo(function TextLine(props: { readonly line: StyledLine }) {
  const [first, ...rest] = props.line;
  if (first === undefined || (rest.length === 0 && first.text === "")) return <Line> </Line>;
  if (rest.length === 0) return <Line as={first.as ?? "text"}>{first.text}</Line>;
  return (
    <Line>
      {props.line.map((span, index) => (
        <Paint key={index} as={span.as ?? "text"}>
          {span.text}
        </Paint>
      ))}
    </Line>
  );
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
