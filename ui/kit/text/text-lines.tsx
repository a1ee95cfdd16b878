import { memo, type ReactNode } from "react";
import { useSkin } from "../theme/use-look.tsx";
import type { StyledLine } from "./styled-lines.ts";
import { textWidth } from "./text-layout.ts";
import type { Skin } from "../theme/skin.ts";
import { Area, Line, SelectedLine } from "../theme/paint.tsx";
import { textElement } from "../theme/text.tsx";

// Each record has new line objects, but many have equal content.
function sameLine(a: { readonly line: StyledLine }, b: { readonly line: StyledLine }): boolean {
  if (a.line.length !== b.line.length) return false;
  for (const [index, { text, as }] of a.line.entries()) {
    const other = b.line[index];
    if (text !== other?.text || as !== other.as) return false;
  }
  return true;
}

/** A line in few pieces, because each costs time per frame. "text" is the look of the line. */
export function drawnSpans(line: StyledLine, skin: Skin): ReactNode[] {
  const drawn: ReactNode[] = [];
  let plain = "";
  for (const { text, as = "text" } of line) {
    if (as === "text") plain += text;
    else if (text !== "") {
      drawn.push(plain, textElement({ key: drawn.length, ...skin[as] }, text));
      plain = "";
    }
  }
  return plain === "" ? drawn : [...drawn, plain];
}

const TextLine = memo(function TextLine(props: { readonly line: StyledLine }) {
  const skin = useSkin();
  const [first, ...rest] = props.line;
  if (first === undefined || (rest.length === 0 && first.text === "")) return <Line> </Line>;
  if (rest.length === 0 && first.as === "selected") return <SelectedLine text={first.text} />;
  if (rest.length === 0) return <Line as={first.as ?? "text"}>{first.text}</Line>;
  return textElement({ wrap: "truncate-end", ...skin.text }, drawnSpans(props.line, skin));
}, sameLine);

/** The line with a sign in its last column, if that is free. */
function signed(line: StyledLine, width: number, sign: string): StyledLine {
  const text = line.map((span) => span.text).join("");
  const free = width - textWidth(text);
  if (free > 0) return [...line, { text: " ".repeat(free - 1) }, { text: sign, as: "quiet" }];
  const [only] = line;
  // A selected line is padded with blanks.
  if (line.length > 1 || only === undefined || !text.endsWith(" ")) return line;
  return [{ ...only, text: text.slice(0, -1) + sign }];
}

/** The visible part of any number of lines, with arrows if there are more. */
export function TextLines(props: {
  /** Wrapped to the width and safe to draw. */
  readonly lines: readonly StyledLine[];
  readonly top: number;
  readonly width: number;
  readonly height: number;
}) {
  const { lines, top, width, height } = props;
  const shown = lines.slice(top, top + height);
  const last = shown.length - 1;
  return (
    <Area width={width} height={height}>
      {shown.map((line, index) => {
        const isMore = index === last && top + height < lines.length;
        const sign = isMore ? "↓" : index === 0 && top > 0 ? "↑" : undefined;
        return (
          <TextLine
            key={top + index}
            line={sign === undefined ? line : signed(line, width, sign)}
          />
        );
      })}
    </Area>
  );
}
