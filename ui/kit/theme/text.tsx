import { Text as InkText, type TextProps } from "ink";
import { createElement, type ReactNode } from "react";
import { plainLine } from "#lib/text/terminal.ts";

/**
 * The only place where text becomes a part of the screen, so it is cleaned here and at no other.
 * State keeps the original: forms write it back, and a copy to the clipboard has it.
 */
function drawable(node: ReactNode): ReactNode {
  if (typeof node === "string") return plainLine(node);
  return Array.isArray(node) ? node.map((part: ReactNode) => drawable(part)) : node;
}

/** Ink's text, without control sequences in its children. */
export function textElement(look: TextProps & { readonly key?: number }, children: ReactNode) {
  const parts: readonly ReactNode[] = Array.isArray(children) ? children : [children];
  return createElement(InkText, look, ...parts.map(drawable));
}

export function Text({ children, ...look }: TextProps) {
  return textElement(look, children);
}
