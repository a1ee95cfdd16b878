import { Box } from "ink";
import type { ReactNode } from "react";
import { Pane, paneBorder } from "../panes/pane.tsx";
import { countWords } from "../text/words.ts";
import { Area, Line, Lines } from "../theme/paint.tsx";

export interface OverlayArea {
  readonly columns: number;
  readonly rows: number;
}

export interface DialogProps extends OverlayArea {
  readonly onClose: () => void;
}

/** A framed window over the screen, which stays mounted below it. */
export function Overlay(
  props: OverlayArea & {
    readonly title: string;
    /** Wished size with the border; cut to the area. */
    readonly width: number;
    readonly height: number;
    readonly children?: ReactNode;
  },
) {
  const width = Math.min(props.width, props.columns);
  const height = Math.min(props.height, props.rows);
  const left = Math.floor((props.columns - width) / 2);
  const top = Math.floor((props.rows - height) / 3);
  const blank = Array.from({ length: height }, () => " ".repeat(width));
  return (
    <>
      <Box
        position="absolute"
        flexDirection="column"
        left={left}
        top={top}
        width={width}
        height={height}
      >
        <Lines lines={blank} margin={0} />
      </Box>
      <Box position="absolute" left={left} top={top} width={width} height={height}>
        <Pane title={props.title} width={width} height={height} focused>
          <Area height={props.height - paneBorder}>{props.children}</Area>
        </Pane>
      </Box>
    </>
  );
}

export function MoreBelow(props: { readonly count: number }) {
  const { count } = props;
  return <Line as="quiet">{count > 0 ? `  ↓ ${countWords(count)} more` : " "}</Line>;
}
