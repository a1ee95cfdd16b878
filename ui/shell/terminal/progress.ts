import { Part } from "../../kit/state/part.ts";
import type { Environment } from "../../kit/theme/theme.ts";

/**
 * Terminals that show the progress of a program (OSC 9;4), such as in their tab. Some of the
 * others show the sequence as a notification.
 */
export function knowsProgress({ env }: Pick<Environment, "env">): boolean {
  const { TERM = "", TERM_PROGRAM = "", WT_SESSION, ConEmuANSI, VTE_VERSION = "" } = env;
  if (WT_SESSION !== undefined || ConEmuANSI === "ON") return true;
  if (/^(?:ghostty|WezTerm|rio)$/.test(TERM_PROGRAM) || TERM === "xterm-ghostty") return true;
  return Number(VTE_VERSION) >= 7900;
}

const noProgress = "\x1b]9;4;0\x1b\\";
const unknownProgress = "\x1b]9;4;3\x1b\\";

function sequenceOf(share: number | undefined): string {
  if (share === undefined) return unknownProgress;
  const percent = Math.round(Math.max(0, Math.min(1, share)) * 100);
  return `\x1b]9;4;1;${percent}\x1b\\`;
}

/** The progress of jobs, uploads and long work together, as the terminal shows it. */
export class TerminalProgress {
  readonly #send: (sequence: string) => void;
  readonly #shares = new Map<string, number | undefined>();
  #shown = noProgress;

  constructor(send: (sequence: string) => void) {
    this.#send = send;
  }

  /** The share of some work that is done, between 0 and 1; undefined while it is not known. */
  readonly report = (work: string, share: number | undefined): void => {
    this.#shares.set(work, share);
    this.#show();
  };

  readonly end = (work: string): void => {
    if (this.#shares.delete(work)) this.#show();
  };

  #show(): void {
    const known = [...this.#shares.values()].filter((share) => share !== undefined);
    const mean = known.reduce((sum, share) => sum + share, 0) / known.length;
    const sequence =
      this.#shares.size === 0 ? noProgress : sequenceOf(known.length === 0 ? undefined : mean);
    if (sequence === this.#shown) return;
    this.#shown = sequence;
    this.#send(sequence);
  }
}

export const progressPart = new Part<TerminalProgress>("progress");
