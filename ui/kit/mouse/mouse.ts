import { measureElement, type DOMElement } from "ink";
import { useLayoutEffect, useRef, type RefObject } from "react";
import type { KeyHub } from "../keys/key-hub.ts";
import type { Scope } from "../keys/keys.ts";
import { Part, usePart } from "../state/part.ts";
import { Store, type Followed } from "../state/store.ts";
import type { MouseReport } from "./mouse-reports.ts";

/** A part of the screen that takes clicks. */
export interface MouseRegion {
  /** Clicks count only while the keys of this scope do; without it they always count. */
  readonly scope?: Scope;
  /** The place of a click in the region, from 0. */
  readonly press: (x: number, y: number) => void;
  /** Opens what a double click has selected. */
  readonly opens?: boolean;
  /** The second press of a double click counts as another one. */
  readonly repeats?: boolean;
}

interface Placed {
  readonly node: RefObject<DOMElement | null>;
  readonly region: RefObject<MouseRegion>;
}

/** Rows that one step of the wheel moves. */
const wheelRows = 3;
const doubleMs = 400;
const refused = () => {};

/** Turns clicks and the wheel into what the keys do. */
export class Mouse {
  readonly #hub: KeyHub;
  readonly #placed = new Set<Placed>();
  readonly #isOn = new Store(false);
  readonly isOn: Followed<boolean> = this.#isOn;
  readonly #setMode: (isOn: boolean) => void;
  #last: { readonly x: number; readonly y: number; readonly atMs: number } | undefined;

  /** `setMode` asks the terminal for reports, or ends them. */
  constructor(hub: KeyHub, setMode: (isOn: boolean) => void) {
    this.#hub = hub;
    this.#setMode = setMode;
  }

  readonly turn = (isOn: boolean): void => {
    this.#isOn.set(isOn);
    this.#setMode(isOn);
  };

  add(placed: Placed): () => void {
    this.#placed.add(placed);
    return () => this.#placed.delete(placed);
  }

  /** Presses a key so many times, as one stroke. */
  readonly key = (name: string, count = 1): void => {
    // A focus that the click has changed is drawn first.
    if (count > 0) setImmediate(() => this.#hub.press([{ name, count }], refused));
  };

  readonly take = ({ kind, x, y }: MouseReport): void => {
    if (kind !== "press") {
      // The arrows bring back earlier texts in a field.
      const { typing } = this.#hub;
      if (typing !== undefined && typing !== "picker") return;
      return this.key(kind === "wheelUp" ? "up" : "down", wheelRows);
    }
    const found = this.#at(x, y);
    if (found === undefined) return;
    const nowMs = performance.now();
    const last = this.#last;
    const isDouble = last?.x === x && last.y === y && nowMs - last.atMs < doubleMs;
    this.#last = isDouble ? undefined : { x, y, atMs: nowMs };
    if (!isDouble || found.region.repeats === true) found.region.press(x - found.x, y - found.y);
    else if (found.region.opens === true) this.key("enter");
  };

  /** The smallest region at a place whose keys count now. */
  #at(x: number, y: number) {
    const hits = [...this.#placed].flatMap(({ node, region: { current: region } }) => {
      const isHeard = region.scope === undefined || this.#hub.hears(region.scope);
      if (node.current === null || !isHeard) return [];
      const box = measureElement(node.current);
      const isIn = x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;
      return isIn ? [{ region, x: box.x, y: box.y, size: box.width * box.height }] : [];
    });
    return hits.toSorted((one, other) => one.size - other.size)[0];
  }
}

export const mousePart = new Part<Mouse>("mouse");

/** Makes a box take clicks; the returned ref is that of the box. */
export function useMouse(region: MouseRegion): RefObject<DOMElement | null> {
  const mouse = usePart(mousePart);
  const node = useRef<DOMElement | null>(null);
  const latest = useRef(region);
  useLayoutEffect(() => {
    latest.current = region;
  });
  useLayoutEffect(() => mouse.add({ node, region: latest }), [mouse]);
  return node;
}

/** Returns a function that moves a list's cursor to a row of the screen. */
export function useRowClick(
  cursor: Followed<{ readonly index: number; readonly top: number }>,
): (row: number) => void {
  const { key } = usePart(mousePart);
  return (row) => {
    const { index, top } = cursor.get();
    const by = top + row - index;
    if (row >= 0) key(by < 0 ? "up" : "down", Math.abs(by));
  };
}
