import { useInput, usePaste } from "ink";
import {
  createContext,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from "react";
import { KeyHub } from "./key-hub.ts";
import type { KeyFacts } from "./key-reasons.ts";
import type { Scope } from "./key-table.ts";
import type { Binding, KeyHandlers, KeyLayer } from "./key-bindings.ts";
import { strokesOf } from "./keystrokes.ts";
import { requiredContext } from "../state/required-context.ts";

const [KeyContext, useHub] = requiredContext<KeyHub>("KeyProvider");
const ActedContext = createContext(0);

/**
 * Listens to the keyboard, the only place that does. `onRefused` gets the reason of a disabled key.
 */
export function KeyProvider(props: {
  readonly onRefused: (words: string) => void;
  readonly children: ReactNode;
}) {
  const [presses, setPresses] = useState(0);
  const [actedAtMs, setActedAtMs] = useState(Date.now);
  const [hub] = useState(
    () =>
      new KeyHub((isMove) => {
        setPresses((now) => now + 1);
        if (!isMove) setActedAtMs(Date.now());
      }),
  );
  // Rendered together with everything that the press changed.
  useLayoutEffect(() => hub.settled(), [hub, presses]);
  const { onRefused } = props;
  useInput((input, key) => hub.press(strokesOf(input, key), onRefused));
  usePaste((text) => hub.paste(text));
  return (
    <KeyContext value={hub}>
      <ActedContext value={actedAtMs}>{props.children}</ActedContext>
    </KeyContext>
  );
}

/** The time of the last key that was more than a step of the cursor. */
export function useActedAtMs(): number {
  return useContext(ActedContext);
}

export interface KeyOptions {
  /** True unless given. */
  readonly active?: boolean;
  readonly facts?: KeyFacts;
  readonly text?: ((text: string) => void) | undefined;
}

const noFacts: KeyFacts = {};

/** Handles keys of a scope while the component is mounted and active. */
export function useKeys(scope: Scope, handlers: KeyHandlers, options: KeyOptions = {}): void {
  const hub = useHub();
  const { active = true, facts = noFacts, text } = options;
  const offered = [
    ...Object.entries(handlers).flatMap(([intent, run]) => (run === undefined ? [] : [intent])),
    JSON.stringify(facts),
  ].join(" ");
  // One layer object per scope, changed after each render: the hub reads the latest handlers.
  const layer = useMemo<KeyLayer>(() => ({ scope, handlers: {}, facts: noFacts }), [scope]);
  useLayoutEffect(() => {
    Object.assign(layer, { handlers, facts, text });
  });
  useLayoutEffect(
    () => (active ? hub.add(Symbol(scope), layer) : undefined),
    [hub, scope, layer, active],
  );
  useLayoutEffect(() => {
    if (active) hub.changed();
  }, [hub, active, offered]);
}

/** Returns the current bindings without subscribing the component to them. */
export function useCurrentBindings(): () => readonly Binding[] {
  return useHub().bindings;
}

/** The current bindings; the component renders again when they change. */
export function useBindings(): readonly Binding[] {
  const hub = useHub();
  return useSyncExternalStore(hub.subscribe, hub.bindings);
}

/** The bindings below an overlay of this scope: `atOpening`, until another place opens below it. */
export function useBindingsBelow(
  scope: Scope,
  atOpening: readonly Binding[],
  place: object,
): readonly Binding[] {
  const hub = useHub();
  const placeAtOpening = useRef(place);
  const [bindings, setBindings] = useState(atOpening);
  // The place is mounted before its overlays, so its keys are known when this runs.
  useLayoutEffect(() => {
    if (place !== placeAtOpening.current) setBindings(hub.bindingsBelow(scope));
  }, [hub, scope, place]);
  return bindings;
}
