/** A report of a terminal's mouse in SGR form (mode 1006). */
export interface MouseReport {
  readonly kind: "press" | "wheelUp" | "wheelDown";
  /** Column and row from 0. */
  readonly x: number;
  readonly y: number;
}

/** Presses and the wheel (1000) in a form without limits (1006); a drag stays the terminal's. */
export const mouseReports = {
  on: "\x1b[?1000h\x1b[?1006h",
  off: "\x1b[?1006l\x1b[?1000l",
} as const;

const report = /\x1b\[<(\d{1,3});(\d{1,5});(\d{1,5})([Mm])/g;
const unfinished = /\x1b\[<[\d;]{0,15}$/;

const kinds: Readonly<Record<number, MouseReport["kind"]>> = {
  0: "press",
  64: "wheelUp",
  65: "wheelDown",
};

function reportOf(button: number, x: number, y: number, end: string): MouseReport | undefined {
  // Bits 2 to 4 are modifiers: such clicks are for the terminal, for example to copy.
  if (end === "m" || (button & 28) !== 0) return undefined;
  const kind = kinds[button];
  return kind === undefined ? undefined : { kind, x: x - 1, y: y - 1 };
}

/** Takes the reports of a mouse out of a terminal's input; a cut one waits for its rest. */
export class MouseReports {
  #rest = "";

  /** Returns the input without reports; `onReport` gets each one that says something. */
  take(chunk: string, onReport: (report: MouseReport) => void): string {
    const input = this.#rest + chunk;
    const typed = input.replaceAll(report, (_, button, x, y, end: string) => {
      const found = reportOf(Number(button), Number(x), Number(y), end);
      if (found !== undefined) onReport(found);
      return "";
    });
    this.#rest = unfinished.exec(typed)?.[0] ?? "";
    return typed.slice(0, typed.length - this.#rest.length);
  }
}
