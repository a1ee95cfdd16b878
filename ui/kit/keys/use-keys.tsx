import { useInput, usePaste } from "ink";
import {
  createContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from "react";
import { KeyHub } from "./key-hub.ts";
import type { KeyFacts, Scope } from "./key-table.ts";
import type { Binding, KeyHandlers, KeyLayer } from "./key-bindings.ts";
import { strokesOf } from "./keystrokes.ts";
import { useProvided } from "../state/use-provided.ts";

const KeyContext = createContext<KeyHub | undefined>(undefined);

function useHub(): KeyHub {
  return useProvided(KeyContext, "KeyProvider");
}

/** The only place that listens to the keyboard. `onRefused` hears why a key may not be used now. */
export function KeyProvider(props: {
  readonly onRefused: (words: string) => void;
  readonly children: ReactNode;
}) {
  const [presses, setPresses] = useState(0);
  const [hub] = useState(() => new KeyHub(() => setPresses((now) => now + 1)));
  // Drawn together with whatever the press changed, so it can't come before that.
  useLayoutEffect(() => hub.settled(), [hub, presses]);
  const { onRefused } = props;
  useInput((input, key) => hub.press(strokesOf(input, key), onRefused));
  usePaste((text) => hub.paste(text));
  return <KeyContext value={hub}>{props.children}</KeyContext>;
}

export interface KeyOptions {
  /** Whether the layer is there at all; true unless given. */
  readonly active?: boolean;
  readonly facts?: KeyFacts;
  readonly text?: ((text: string) => void) | undefined;
}

const noFacts: KeyFacts = {};

/** Takes keys for a scope while the component is shown and active. */
export function useKeys(scope: Scope, handlers: KeyHandlers, options: KeyOptions = {}): void {
  const hub = useHub();
  const { active = true, facts = noFacts, text } = options;
  const latest = useRef<KeyLayer>({ scope, handlers, facts, text });
  const offered = [
    ...Object.entries(handlers).flatMap(([intent, run]) => (run === undefined ? [] : [intent])),
    JSON.stringify(facts),
  ].join(" ");
  useLayoutEffect(() => {
    latest.current = { scope, handlers, facts, text };
  });
  const live = useMemo<KeyLayer>(
    () => ({
      scope,
      get handlers() {
        return latest.current.handlers;
      },
      get facts() {
        return latest.current.facts;
      },
      get text() {
        return latest.current.text;
      },
    }),
    [scope],
  );
  useLayoutEffect(
    () => (active ? hub.add(Symbol(scope), live) : undefined),
    [hub, scope, live, active],
  );
  useLayoutEffect(() => {
    if (active) hub.changed();
  }, [hub, active, offered]);
}

/** What the keys do at the moment of asking; asking draws nothing anew. */
export function useCurrentBindings(): () => readonly Binding[] {
  return useHub().bindings;
}

/** The keys that do something now; a component that asks is drawn again when they change. */
export function useBindings(): readonly Binding[] {
  const hub = useHub();
  return useSyncExternalStore(hub.subscribe, hub.bindings);
}

/**
 * What the keys do beneath an overlay of this scope: `atOpening`, and anew as soon as another `place`
 * was opened beneath it, since the keys of the one that was left do nothing any more.
 */
export function useBindingsBelow(
  scope: Scope,
  atOpening: readonly Binding[],
  place: object,
): readonly Binding[] {
  const hub = useHub();
  const placeAtOpening = useRef(place);
  const [bindings, setBindings] = useState(atOpening);
  // The place stands before its overlays: its keys are there when this runs.
  useLayoutEffect(() => {
    if (place !== placeAtOpening.current) setBindings(hub.bindingsBelow(scope));
  }, [hub, scope, place]);
  return bindings;
}
