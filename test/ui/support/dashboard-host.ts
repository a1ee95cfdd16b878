import { afterEveryFile } from "../../support/cleanup.ts";
import { cleanEnvironment } from "../../support/environment.ts";
import { askRun } from "../../support/run.ts";
import type { TerminalOptions, TerminalProgram } from "../../support/tty.ts";
import type { FromTerminal, ToTerminal } from "./hosted-terminals.ts";
import type { Wish } from "./open-fake.ts";

/** The path of `dashboard-program.ts` as an executable. */
export const dashboardProgram = String((await askRun("POST", "/dashboard"))["path"]);

interface Listener {
  take(message: FromTerminal): void;
  /** The process of all dashboards has ended. */
  end(): void;
}

/** A program that has drawn so many dashboards is replaced, so that its memory is bounded. */
const mostDashboards = 200;

/**
 * The program runs long enough for the second compiler, which saves a quarter of its processor
 * time; the last one costs more than it saves. The collector runs in the thread that allocates,
 * which takes a tenth less.
 */
const settingsOfHost = {
  BUN_JSC_useDFGJIT: "1",
  BUN_JSC_useFTLJIT: "0",
  BUN_JSC_useConcurrentGC: "0",
  BUN_JSC_numberOfGCMarkers: "1",
  MIMALLOC_PURGE_DELAY: "1000",
};

/** The program that draws the dashboards of a worker's files, each on its own terminal. */
class DashboardHost {
  readonly #listeners = new Map<number, Listener>();
  readonly #child = Bun.spawn([dashboardProgram], {
    // Its own stdout is no terminal that could have colours.
    env: cleanEnvironment({
      ...settingsOfHost,
      TERM: "xterm-256color",
      COLORTERM: "truecolor",
      FORCE_COLOR: "3",
    }),
    stdio: ["pipe", "pipe", "inherit"],
  });
  #count = 0;
  #hasEnded = false;

  constructor() {
    // The program ends with its stdin, so that a worker need not wait for it.
    this.#child.unref();
    void this.#read();
  }

  /** Whether a further file may open its dashboards here. */
  get isUsable(): boolean {
    return !this.#hasEnded && this.#count < mostDashboards;
  }

  async #read(): Promise<void> {
    let rest = "";
    const decoder = new TextDecoder();
    for await (const bytes of this.#child.stdout) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const message = JSON.parse(line) as FromTerminal;
        this.#listeners.get(message.id)?.take(message);
      }
    }
    this.#hasEnded = true;
    for (const listener of this.#listeners.values()) listener.end();
  }

  /** Ends the dashboards that a failed test has left open. */
  endAll(): void {
    for (const id of this.#listeners.keys()) this.#send({ id, kind: "end" });
    this.#listeners.clear();
  }

  /** Opens a dashboard; `onOutput` gets what it draws. */
  open(
    wish: Wish,
    { cols = 80, rows = 24 }: Pick<TerminalOptions, "cols" | "rows">,
    onOutput: (bytes: Uint8Array) => void,
  ): TerminalProgram {
    const id = (this.#count += 1);
    const { promise: exited, resolve } = Promise.withResolvers<number>();
    const encoder = new TextEncoder();
    let isRaw = false;
    const end = (code: number): void => {
      this.#listeners.delete(id);
      resolve(code);
    };
    this.#listeners.set(id, {
      take: (message) => {
        if (message.kind === "output") onOutput(encoder.encode(message.text));
        else if (message.kind === "raw") isRaw = message.isRaw;
        else end(message.code);
      },
      end: () => end(1),
    });
    this.#send({ id, kind: "open", wish, cols, rows });
    return {
      pid: this.#child.pid,
      exited,
      isRaw: () => isRaw,
      write: (text) => this.#send({ id, kind: "input", text }),
      resize: (newCols, newRows) => this.#send({ id, kind: "size", cols: newCols, rows: newRows }),
      kill: () => {
        this.#send({ id, kind: "end" });
        end(143);
      },
      close: () => this.#send({ id, kind: "end" }),
    };
  }

  #send(message: ToTerminal): void {
    void this.#child.stdin.write(`${JSON.stringify(message)}\n`);
    void this.#child.stdin.flush();
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#child.exited;
  }
}

let host: DashboardHost | undefined;

// The start of the program takes as long as several dashboards, so the next file gets it too.
afterEveryFile(async () => {
  host?.endAll();
  if (host?.isUsable !== false) return;
  await host.stop();
  host = undefined;
});

/** Opens a dashboard in the process of this worker's dashboards. */
export function hostDashboard(
  wish: Wish,
  options: Pick<TerminalOptions, "cols" | "rows">,
  onOutput: (bytes: Uint8Array) => void,
): TerminalProgram {
  host ??= new DashboardHost();
  return host.open(wish, options, onOutput);
}
