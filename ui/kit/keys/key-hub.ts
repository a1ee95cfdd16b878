import { plainText } from "#lib/text/terminal.ts";
import {
  bindingFor,
  bindingsOf,
  factsOf,
  hearingLayers,
  keyElsewhere,
  notHere,
  type Binding,
  type KeyLayer,
  type KeyTable,
} from "./key-bindings.ts";
import { scopes, type KeyEntry, type Scope } from "./keys.ts";
import { Store, type Followed } from "../state/store.ts";
import { typedTogether, type Stroke } from "./keystrokes.ts";

/** Limit of queued presses; the rest is dropped. */
const maximumPresses = 1_000_000;

interface Press {
  readonly stroke: Stroke;
  readonly isPasted: boolean;
  readonly onRefused: (words: string) => void;
}

interface Paste {
  readonly pasted: string;
  readonly onRefused: Press["onRefused"];
}

type Input = Press | Paste;

/** Queues key presses and gives each to the mounted layer that handles it. */
export class KeyHub {
  readonly table: KeyTable;
  readonly #layers = new Map<symbol, KeyLayer>();
  /** The layers that receive keys, deepest first. */
  #hearing: readonly KeyLayer[] = [];
  readonly #bindings = new Store<readonly Binding[]>([]);
  /** The bindings of the current screen. */
  readonly bindings: Followed<readonly Binding[]> = this.#bindings;
  /** The user's role, as the layers know it. */
  readonly role = new Store<string | undefined>(undefined);
  /** The number of handled inputs. */
  readonly handled = new Store(0);
  /** The time of the last input that was more than one step up or down. */
  readonly actedAtMs = new Store(Date.now());
  /** Input in order; that before `#next` is handled. */
  #queue: Input[] = [];
  #next = 0;
  #running = false;

  constructor(table: KeyTable) {
    this.table = table;
  }

  add(id: symbol, layer: KeyLayer): () => void {
    this.#layers.set(id, layer);
    this.changed();
    return () => {
      this.#layers.delete(id);
      this.changed();
    };
  }

  /** Recomputes the bindings after a change of a layer. */
  changed(): void {
    const layers = this.#current();
    this.#hearing = hearingLayers(layers);
    this.#bindings.set(bindingsOf(this.table, layers));
    this.role.set(factsOf(layers).role);
  }

  /** The scope of the field that takes text; undefined without one. */
  get typing(): Scope | undefined {
    return this.#hearing.find(({ text }) => text !== undefined)?.scope;
  }

  /** True if the keys of a scope count: no dialog and no field is above them. */
  hears(scope: Scope): boolean {
    const { typing } = this;
    if (typing !== undefined && scopes[typing].depth > scopes[scope].depth) return false;
    return this.#hearing.some((layer) => layer.scope === scope);
  }

  /** The bindings without the layers at this scope's depth or deeper. */
  bindingsBelow(scope: Scope): readonly Binding[] {
    const { depth } = scopes[scope];
    const below = this.#current().filter((layer) => scopes[layer.scope].depth < depth);
    return bindingsOf(this.table, below);
  }

  press(strokes: readonly Stroke[], onRefused: (words: string) => void): void {
    // So many strokes are a paste that the terminal did not bracket: text, but no keys.
    const isPasted = strokes.length > typedTogether;
    for (const stroke of strokes) this.#enqueue({ stroke, isPasted, onRefused });
    this.#start();
  }

  paste(text: string, onRefused: (words: string) => void): void {
    this.#enqueue({ pasted: plainText(text), onRefused });
    this.#start();
  }

  /** Continues with the next input, after everything that a press changed was rendered. */
  settled(): void {
    // The next key waits for a tick: React takes a long burst in one commit for an endless loop.
    setImmediate(() => {
      this.#running = false;
      this.#start();
    });
  }

  #current(): KeyLayer[] {
    return Array.from(this.#layers.values());
  }

  #enqueue(one: Input): void {
    if (this.#queue.length - this.#next < maximumPresses) this.#queue.push(one);
  }

  // One press at a time: the next key must meet the handlers that the press before it rendered.
  #start(): void {
    if (this.#running) return;
    const one = this.#take();
    if (one === undefined) return;
    this.#running = true;
    let isMove = false;
    if ("pasted" in one) this.#paste(one);
    else isMove = this.#dispatch(one);
    if (!isMove) this.actedAtMs.set(Date.now());
    this.handled.set((now) => now + 1);
  }

  #take(): Input | undefined {
    const one = this.#queue[this.#next];
    if (one === undefined) {
      this.#queue = [];
      this.#next = 0;
    } else this.#next += 1;
    return one;
  }

  #paste({ pasted, onRefused }: Paste): void {
    const layer = this.#hearing.find(({ text }) => text !== undefined);
    if (layer !== undefined) this.#insert(layer, pasted, onRefused);
  }

  #insert(layer: KeyLayer, text: string, onRefused: (words: string) => void): void {
    const problem = layer.textProblem?.(text);
    if (problem === undefined) layer.text?.(text);
    else onRefused(problem);
  }

  /** The layer that receives a press as text, if no layer above it handles the key. */
  #typedInto(stroke: Stroke): KeyLayer | undefined {
    if (stroke.text === undefined) return undefined;
    const layers = this.#hearing;
    const typing = layers.findIndex((layer) => layer.text !== undefined);
    // A line end among other text was pasted: a text of several lines takes it and submits nothing.
    if (stroke.text === "\n" && layers[typing]?.handlers.newline !== undefined) {
      return layers[typing];
    }
    if (typing === -1) return undefined;
    const above = { hearing: layers.slice(0, typing), all: [] };
    return bindingFor(this.table, above, stroke.name) === undefined ? layers[typing] : undefined;
  }

  /** Whether the press was one step up or down. */
  #dispatch({ stroke, isPasted, onRefused }: Press): boolean {
    const typed = this.#typedInto(stroke);
    if (typed !== undefined) {
      this.#insert(typed, plainText(textOf(stroke) + this.#typedAfter()), onRefused);
      return false;
    }
    if (isPasted) return false;
    const layers = { hearing: this.#hearing, all: this.#current() };
    const binding = bindingFor(this.table, layers, stroke.name);
    if (binding === undefined) {
      this.#sayNotHere(stroke, onRefused);
      return false;
    }
    if (binding.reason === undefined) binding.run(stroke.count);
    else onRefused(`${binding.entry.words}: ${binding.reason}`);
    return isMove(binding.entry);
  }

  /** Says what a letter would do elsewhere, unless a dialog or a field is open. */
  #sayNotHere({ name }: Stroke, onRefused: Press["onRefused"]): void {
    if (name.length > 1 || !this.hears("place")) return;
    const entry = keyElsewhere(this.table, name);
    if (entry !== undefined) onRefused(`${entry.words}: ${notHere}`);
  }

  /** The queued text after a press, in one piece: a frame per pasted letter would take minutes. */
  #typedAfter(): string {
    let text = "";
    for (;;) {
      const one = this.#queue[this.#next];
      if (one === undefined || "pasted" in one) return text;
      if (this.#typedInto(one.stroke) === undefined) return text;
      text += textOf(one.stroke);
      this.#next += 1;
    }
  }
}

function isMove({ intent }: KeyEntry): boolean {
  return intent === "up" || intent === "down";
}

function textOf({ text = "", count }: Stroke): string {
  return text.repeat(count);
}
