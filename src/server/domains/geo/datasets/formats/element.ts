/** An element of XML, by its name without a prefix. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

/** The child with this name; undefined without one. */
export function child(element: Element, name: string): Element | undefined {
  return element.children.find((each) => each.name === name);
}
