import { Text as InkText, type TextProps } from "ink";
import { createElement, type ReactNode } from "react";
import { plainLine, printable } from "#lib/text/terminal.ts";

/**
 * The only place where text becomes a part of the screen, so it is cleaned here and at no other.
 * State keeps the original: forms write it back, and a copy to the clipboard has it.
 */
function drawable(nodes: readonly ReactNode[]): ReactNode[] {
  const drawn: ReactNode[] = [];
  for (const node of nodes) {
    if (typeof node === "string") drawn.push(printable.test(node) ? node : plainLine(node));
    else drawn.push(Array.isArray(node) ? drawable(node) : node);
  }
  return drawn;
}

/** Ink's text, without control sequences in its children. */
export function textElement(look: TextProps & { readonly key?: number }, children: ReactNode) {
  return createElement(InkText, look, ...drawable(Array.isArray(children) ? children : [children]));
}

export function Text({ children, ...look }: TextProps) {
  return textElement(look, children);
}
