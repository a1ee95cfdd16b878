import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { Pane } from "./pane.tsx";

export interface OverlayProps {
  readonly title: string;
  /** Size of the area that it stands over. */
  readonly columns: number;
  readonly rows: number;
  /** Wished size, border included; cut to the area. */
  readonly width: number;
  readonly height: number;
  readonly children?: ReactNode;
}

/** A framed window over whatever else is drawn; what lies below stays mounted and keeps its place. */
export function Overlay(props: OverlayProps) {
  const width = Math.min(props.width, props.columns);
  const height = Math.min(props.height, props.rows);
  const left = Math.floor((props.columns - width) / 2);
  const top = Math.floor((props.rows - height) / 3);
  const blank = Array.from({ length: height }, () => " ".repeat(width)).join("\n");
  return (
    <>
      <Box position="absolute" left={left} top={top} width={width} height={height}>
        <Text wrap="truncate-end">{blank}</Text>
      </Box>
      <Box position="absolute" left={left} top={top} width={width} height={height}>
        <Pane title={props.title} width={width} height={height} focused>
          {props.children}
        </Pane>
      </Box>
    </>
  );
}
