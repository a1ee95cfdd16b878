import { measureElement, type DOMElement } from "ink";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Size } from "../panes/layout.ts";
import { Waiting } from "../panes/waiting.tsx";
import { usePart } from "../state/part.ts";
import { useStore } from "../state/store.ts";
import { Area } from "../theme/paint.tsx";
import { Text } from "../theme/text.tsx";
import { fitPicture, type FittedPicture } from "./fit-picture.ts";
import { placeholderLines } from "./kitty.ts";
import { picturesPart, type PictureMode } from "./terminal-pictures.ts";

export interface PictureAreaProps extends Size {
  readonly png: Uint8Array;
  readonly mode: PictureMode;
  /** Something lies over the screen, which a picture of sixels would show through. */
  readonly isCovered: boolean;
  readonly onFailure: (error: unknown) => void;
}

/** The way in which the terminal draws pictures: undefined while it is asked, null for none. */
export function usePictureMode(): PictureMode | null | undefined {
  const pictures = usePart(picturesPart);
  const [mode, setMode] = useState<PictureMode | null>();
  useEffect(() => {
    let isOpen = true;
    void pictures.mode().then((found) => {
      if (isOpen) setMode(found ?? null);
    });
    return () => {
      isOpen = false;
    };
  }, [pictures]);
  return mode;
}

/** A picture as large as the area allows, in the middle of it. */
export function PictureArea(props: PictureAreaProps) {
  const { png, mode, isCovered, width, height, onFailure } = props;
  const [fitted, setFitted] = useState<FittedPicture>();
  useEffect(() => {
    let isOpen = true;
    fitPicture(png, { width, height }, mode).then((made) => {
      if (isOpen) setFitted(made);
    }, onFailure);
    return () => {
      isOpen = false;
    };
  }, [png, width, height, mode, onFailure]);
  if (fitted === undefined) return <Waiting words="Drawing the page" />;
  const { columns, rows, content } = fitted;
  const place = { columns, rows, margin: Math.max(0, Math.floor((width - columns) / 2)) };
  return "png" in content ? (
    <PlacedPicture {...place} png={content.png} />
  ) : (
    <SixelPicture {...place} sixel={content.sixel} isCovered={isCovered} />
  );
}

interface Place {
  readonly columns: number;
  readonly rows: number;
  readonly margin: number;
}

/** Characters over which the terminal draws the picture, until they leave the screen. */
function PlacedPicture({ png, columns, rows, margin }: Place & { readonly png: Uint8Array }) {
  const pictures = usePart(picturesPart);
  const redraws = useStore(pictures.redraws);
  useLayoutEffect(() => {
    pictures.placeKitty(png, { columns, rows });
    return () => pictures.removeKitty();
  }, [pictures, png, columns, rows, redraws]);
  return (
    <Area height={rows}>
      {placeholderLines(columns, rows).map((line, index) => (
        <Text key={index} color={`ansi256(${pictures.id})`}>
          {" ".repeat(margin) + line}
        </Text>
      ))}
    </Area>
  );
}

/** The frame before is on the screen by then: it would erase what it draws over. */
const settledMs = 100;

/** Empty cells, on which the picture is painted once they are drawn. */
function SixelPicture(props: Place & { readonly sixel: string; readonly isCovered: boolean }) {
  const { sixel, isCovered, columns, rows, margin } = props;
  const pictures = usePart(picturesPart);
  const redraws = useStore(pictures.redraws);
  const node = useRef<DOMElement>(null);
  useLayoutEffect(() => {
    if (isCovered || redraws === undefined) return undefined;
    let painted: { readonly x: number; readonly y: number } | undefined;
    const timer = setTimeout(() => {
      if (node.current === null) return;
      const { x, y } = measureElement(node.current);
      painted = { x: x + margin + 1, y: y + 1 };
      pictures.send(`\x1b7\x1b[${painted.y};${painted.x}H${sixel}\x1b8`);
    }, settledMs);
    // All is drawn again then, also where the picture was.
    const forget = pictures.redraws.subscribe(() => (painted = undefined));
    return () => {
      clearTimeout(timer);
      forget();
      if (painted !== undefined) pictures.send(erasing(painted, { columns, rows }));
    };
  }, [pictures, sixel, isCovered, redraws, columns, rows, margin]);
  return <Area height={rows} node={node} />;
}

function erasing(
  { x, y }: { readonly x: number; readonly y: number },
  { columns, rows }: { readonly columns: number; readonly rows: number },
): string {
  const lines = Array.from({ length: rows }, (_, row) => `\x1b[${y + row};${x}H\x1b[${columns}X`);
  return `\x1b7${lines.join("")}\x1b8`;
}
