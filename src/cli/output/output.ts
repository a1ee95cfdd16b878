import { membersOf } from "#lib/json/value.ts";
import { systemErrorWords } from "#lib/system-error.ts";
import { plainText } from "#lib/text/terminal.ts";
import type { Format } from "../command.ts";
import type { Environment, OutputStream } from "../environment.ts";
import type { Projection } from "./projection.ts";
import { Shown, shown } from "../shown.ts";
import { renderTable, type Column } from "./table.ts";
import { WordFlow } from "./word-flow.ts";

export type Tone = "strong" | "dim" | "good" | "warning" | "danger";

const toneCodes: Readonly<Record<Tone, Parameters<typeof Shown.styled>[0]>> = {
  strong: ["\x1b[1m", "\x1b[22m"],
  dim: ["\x1b[2m", "\x1b[22m"],
  good: ["\x1b[32m", "\x1b[39m"],
  warning: ["\x1b[33m", "\x1b[39m"],
  danger: ["\x1b[31m", "\x1b[39m"],
};

const eraseLine = "\r\x1b[K";

/** The reader of stdout has closed it (`| head`): a quiet end, not a failure. */
export class OutputClosed extends Error {
  override readonly name = "OutputClosed";
}

/** stdout can't be written, e.g. on a full disk. */
export class OutputFailed extends Error {
  override readonly name = "OutputFailed";
}

export interface OutputSettings {
  readonly format: Format;
  readonly colour: boolean;
  readonly simple: boolean;
}

/** The rows of an answer; the answer itself when it has none. */
function rowsIn(value: unknown, members: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const found = members.map((name) => membersOf(value)?.get(name)).find(Array.isArray);
  return found ?? [value];
}

/** Writes data to stdout and messages to stderr. Text is {@link Shown}; data stays as it came. */
export class Output {
  #settings: OutputSettings;
  #isStream = false;
  readonly #stdout: OutputStream;
  readonly #stderr: OutputStream;
  #flow: WordFlow | undefined;
  #hasStatusLine = false;
  #rowMembers: readonly string[] = [];
  #projection: Projection | undefined;

  constructor(environment: Pick<Environment, "stdout" | "stderr">, settings: OutputSettings) {
    this.#stdout = environment.stdout;
    this.#stderr = environment.stderr;
    this.#settings = settings;
  }

  get settings(): OutputSettings {
    return this.#settings;
  }

  /** `rows` are the members of an answer that NDJSON prints, one row per line. */
  setFormat(format: Format, rows: readonly string[] = []): void {
    this.#settings = { ...this.#settings, format };
    this.#rowMembers = rows;
  }

  /** Sends the text that `projection` makes of the JSON to stdout from now on. */
  project(projection: Projection): void {
    this.#projection = projection;
  }

  /** True if stdout has no JSON although the format is JSON: failures go to stderr as text. */
  get isProjected(): boolean {
    return this.#projection !== undefined;
  }

  /** Sends only rows to stdout from now on; failures go to stderr in every format. */
  openStream(): void {
    this.#isStream = true;
  }

  get isStream(): boolean {
    return this.#isStream;
  }

  get isJson(): boolean {
    return this.settings.format === "json";
  }

  get stdoutIsTerminal(): boolean {
    return this.#stdout.isTerminal;
  }

  get stderrIsTerminal(): boolean {
    return this.#stderr.isTerminal;
  }

  get columns(): number {
    return this.#stdout.columns;
  }

  /** Width at which messages wrap: at most 100 on a terminal, otherwise infinite. */
  get noteColumns(): number {
    return this.#stderr.isTerminal ? Math.min(100, this.#stderr.columns) : Infinity;
  }

  tone(tone: Tone, text: string | Shown): Shown {
    return this.settings.colour ? Shown.styled(toneCodes[tone], text) : shown`${text}`;
  }

  /** Several lines of outside text, wrapped on a terminal. */
  paragraphs(text: string): Shown {
    const clean = Shown.block(text);
    return this.#stdout.isTerminal ? clean.paragraphs(this.#stdout.columns) : clean;
  }

  /** A line of this indent, wrapped on a terminal with its later lines indented further. */
  hanging(line: Shown, indent: number, first = 0): Shown {
    const lead = " ".repeat(first);
    if (!this.#stdout.isTerminal || first + line.width <= this.#stdout.columns) {
      return shown`${lead}${line}`;
    }
    const room = Math.max(20, this.#stdout.columns - indent);
    return shown`${lead}${line.wrapped(room).indented(indent)}`;
  }

  /** Prints the command's answer: one JSON value, or the text that `text` makes of it. */
  async data<Value>(value: Value, text: (value: Value) => Shown | readonly Shown[]): Promise<void> {
    if (this.settings.format === "ndjson") {
      await this.rows(rowsIn(value, this.#rowMembers));
      return;
    }
    if (this.#projection !== undefined) {
      await this.rows([value]);
      return;
    }
    if (this.isJson) return this.page(this.json(value, 2));
    const lines = text(value);
    const joined = lines instanceof Shown ? lines : Shown.joined(lines, "\n");
    if (!joined.isEmpty) await this.page(joined);
  }

  /**
   * Prints one line of JSON for each value, or the text that `--jq` or `--template` makes of it.
   * Resolves to the number of characters when the system has them.
   */
  async rows(values: readonly unknown[]): Promise<number> {
    const text =
      this.#projection === undefined
        ? values.map((value) => `${this.json(value, 0).toString()}\n`).join("")
        : await this.#projection.text(values);
    if (text !== "") await this.lines(text);
    return text.length;
  }

  /** Prints text and a line end: help, version, the description of commands. */
  async page(text: Shown): Promise<void> {
    await this.#write(`${text.toString()}\n`);
  }

  /** Prints streamed text as it arrives, cleaned, and wrapped on a terminal. */
  async fragment(text: string): Promise<void> {
    const clean = plainText(text);
    if (!this.#stdout.isTerminal) return this.#write(clean);
    this.#flow ??= new WordFlow(this.#stdout.columns);
    const shown = this.#flow.push(clean);
    if (shown !== "") await this.#write(shown);
  }

  async endFragments(): Promise<void> {
    await this.#write(`${this.#flow?.end() ?? ""}\n`);
    this.#flow = undefined;
  }

  /** Writes bytes unchanged. Resolves when the system has them. */
  async raw(chunk: Uint8Array): Promise<void> {
    await this.#write(chunk);
  }

  /** Writes lines of data, which are cleaned for a terminal only. */
  async lines(text: string): Promise<void> {
    await this.#write(this.#stdout.isTerminal ? plainText(text) : text);
  }

  /** Prints a message on stderr. Resolves to false if it can't have been read. */
  async note(words: Shown): Promise<boolean> {
    await this.#eraseStatusLine();
    try {
      await this.#stderr.write(`${words.toString()}\n`);
      return this.#stderr.isDiscarded !== true;
    } catch {
      return false;
    }
  }

  /** Rewrites the status line on a terminal's stderr; an empty text and other output remove it. */
  async progress(words: string): Promise<void> {
    if (words === "") return this.#eraseStatusLine();
    if (!this.#stderr.isTerminal || this.settings.simple) return;
    this.#hasStatusLine = true;
    const line = shown`${words}`.beginning(Math.max(10, this.#stderr.columns - 1));
    await this.#stderr.write(`${eraseLine}${line.toString()}`).catch(() => undefined);
  }

  async #eraseStatusLine(): Promise<void> {
    if (!this.#hasStatusLine) return;
    this.#hasStatusLine = false;
    await this.#stderr.write(eraseLine).catch(() => undefined);
  }

  /** Rows as an aligned table, or tab-separated with `--simple`. No rows make no heading. */
  table<Row>(
    rows: readonly Row[],
    columns: readonly Column<Row>[],
    onDropped?: (headings: readonly string[]) => void,
  ): Shown[] {
    if (rows.length === 0) return [];
    return renderTable(rows, columns, {
      columns: this.#stdout.isTerminal ? this.#stdout.columns : undefined,
      simple: this.settings.simple,
      heading: (text) => this.tone("strong", text),
      onDropped,
    });
  }

  fields(entries: readonly (readonly [name: string, value: string | undefined])[]): Shown[] {
    const filled = entries.filter(
      (entry): entry is readonly [string, string] => entry[1] !== undefined,
    );
    if (this.settings.simple) return filled.map((entry) => Shown.joined(entry, "\t"));
    const names = filled.map(([name]) => this.tone("dim", name));
    const width = Math.max(0, ...names.map((name) => name.width));
    return names.map((name, index) => shown`${name.padded(width)}  ${filled[index]?.[1] ?? ""}`);
  }

  /** A value as JSON; on a terminal, characters that could draw are escaped. */
  json(value: unknown, indent: number): Shown {
    return Shown.json(JSON.stringify(value, null, indent), this.#stdout.isTerminal);
  }

  async #write(chunk: string | Uint8Array): Promise<void> {
    if (this.#stdout.isTerminal) await this.#eraseStatusLine();
    try {
      await this.#stdout.write(chunk);
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "EPIPE") {
        throw new OutputClosed();
      }
      throw new OutputFailed(systemErrorWords(error), { cause: error });
    }
  }
}
