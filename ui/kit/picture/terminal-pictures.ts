import { Part } from "../state/part.ts";
import type { Followed } from "../state/store.ts";
import { kittyPicture, kittyRemoval, throughTmux } from "./kitty.ts";

/** Whether pages may be drawn: not at all, as the terminal says, or in this way. */
export type PictureSetting = boolean | "kitty" | "sixel";

/** The way in which the terminal draws pictures, and the size of its cells in dots. */
export interface PictureMode {
  readonly kind: "kitty" | "sixel";
  readonly cell: { readonly width: number; readonly height: number };
}

const answerMs = 500;
const usualCell = { width: 10, height: 20 };
const largestCell = 100;
/** A picture of one dot that is only tried, and the terminal's name. */
const kittyQuestion = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[>0q";
const cellQuestion = "\x1b[16t";
/** Every terminal answers this one, and in order: it ends the wait. */
const attributesQuestion = "\x1b[c";
const attributes = /\x1b\[\?([\d;]*)c/;
const cellAnswer = /\x1b\[6;(\d{1,3});(\d{1,3})t/;
const kittyAnswer = /\x1b_Gi=31;OK\x1b\\/;
/** Terminals that draw pictures over placeholders. Others of the protocol do not. */
const withPlaceholders = /\x1bP>\|(?:kitty|ghostty)/i;
const sixelAttribute = "4";

/** The screen as far as pictures need it. */
export interface PictureScreen {
  /** Sends a sequence that draws nothing by itself. */
  send(sequence: string): void;
  watchInput(listener: (input: string) => void): () => void;
  /** How often all was drawn; undefined while another program has the terminal. */
  readonly redraws: Followed<number | undefined>;
}

export interface PictureOptions {
  readonly setting: PictureSetting;
  readonly env: Environment;
  /** The terminal has the characters and colours of placeholders. */
  readonly hasPlaceholders: boolean;
}

/** The pictures of one terminal, which is asked what it can draw when the first one is wanted. */
export class TerminalPictures {
  /** A number of 256 colours, so that two dashboards of one terminal seldom have the same. */
  readonly id = 16 + Math.floor(Math.random() * 240);
  readonly setting: PictureSetting;
  readonly redraws: PictureScreen["redraws"];
  readonly #screen: PictureScreen;
  readonly #hasPlaceholders: boolean;
  readonly #isInTmux: boolean;
  #mode: Promise<PictureMode | undefined> | undefined;

  constructor(screen: PictureScreen, { setting, env, hasPlaceholders }: PictureOptions) {
    this.setting = setting;
    this.redraws = screen.redraws;
    this.#screen = screen;
    this.#hasPlaceholders = hasPlaceholders;
    this.#isInTmux = (env["TMUX"] ?? "") !== "";
  }

  /** How the terminal draws pictures; undefined where it can not. */
  mode(): Promise<PictureMode | undefined> {
    this.#mode ??= this.#asked();
    return this.#mode;
  }

  /** Sends sequences, unless another program has the terminal. */
  readonly send = (sequences: string): void => {
    if (this.redraws.get() !== undefined) this.#screen.send(sequences);
  };

  /** Gives the terminal a PNG for the placeholders of this dashboard; it replaces another one. */
  placeKitty(png: Uint8Array, size: { readonly columns: number; readonly rows: number }): void {
    const pieces = kittyPicture(png, { id: this.id, ...size });
    this.send(pieces.map(this.#outward).join(""));
  }

  removeKitty(): void {
    this.send(this.#outward(kittyRemoval(this.id)));
  }

  /** A sequence of kitty's protocol as it reaches the terminal. */
  readonly #outward = (sequence: string): string =>
    this.#isInTmux ? throughTmux(sequence) : sequence;

  async #asked(): Promise<PictureMode | undefined> {
    const { setting } = this;
    if (setting === false) return undefined;
    // The answer of the terminal would not come back through tmux.
    const asksKitty = setting === true && !this.#isInTmux;
    const answer = await this.#answerTo((asksKitty ? kittyQuestion : "") + cellQuestion);
    const kind = setting === true ? kindIn(answer) : setting;
    if (kind === undefined || (kind === "kitty" && !this.#hasPlaceholders)) return undefined;
    return { kind, cell: cellIn(answer) };
  }

  /** The terminal's answer to a question, or its part that comes within half a second. */
  async #answerTo(question: string): Promise<string> {
    const ended = Promise.withResolvers<void>();
    let answer = "";
    const stop = this.#screen.watchInput((input) => {
      answer += input;
      if (attributes.test(answer)) ended.resolve();
    });
    this.#screen.send(question + attributesQuestion);
    await Promise.race([ended.promise, Bun.sleep(answerMs)]);
    stop();
    return answer;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The best way in the answers of a terminal. */
export function kindIn(answer: string): PictureMode["kind"] | undefined {
  if (kittyAnswer.test(answer) && withPlaceholders.test(answer)) return "kitty";
  const list = attributes.exec(answer)?.[1]?.split(";") ?? [];
  return list.includes(sixelAttribute) ? "sixel" : undefined;
}

function cellIn(answer: string): PictureMode["cell"] {
  const [height = 0, width = 0] = (cellAnswer.exec(answer) ?? []).slice(1).map(Number);
  const isSize = width > 1 && height > 1 && width <= largestCell && height <= largestCell;
  return isSize ? { width, height } : usualCell;
}

export const picturesPart = new Part<TerminalPictures>("pictures");
