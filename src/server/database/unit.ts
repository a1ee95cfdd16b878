import type { Writer } from "./database.ts";
import { UnitTimeoutError } from "./errors.ts";
import type { Execute, Executed } from "./reader.ts";
import { ExecutingReader } from "./reader.ts";
import { render } from "./statement.ts";
import type { Dialect, Statement } from "./statement.ts";

/**
 * The writer of one unit. It ends with its unit: a statement after that is refused. The first
 * failed statement fails the whole unit, on both engines (PostgreSQL refuses everything after it
 * anyway), so a unit never commits half of what it meant.
 */
export class UnitWriter extends ExecutingReader implements Writer {
  #failure: Error | undefined;
  #ended: Error | undefined;
  readonly #last: Statement[] = [];

  constructor(dialect: Dialect, execute: Execute) {
    super(dialect, (text, parameters) => this.#run(execute, text, parameters));
  }

  /** Why the unit cannot commit, if it cannot: what its first failed statement threw. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  async run(statement: Statement): Promise<{ changedRows: number }> {
    const { text, parameters } = render(statement, this.dialect);
    const { changedRows } = await this.execute(text, parameters);
    return { changedRows };
  }

  /** What the unit left for the end of its transaction. */
  get last(): readonly Statement[] {
    return this.#last;
  }

  runLast(statement: Statement): void {
    if (this.#ended !== undefined) throw this.#ended;
    this.#last.push(statement);
  }

  /** Refuses every further statement. */
  end(why: Error = new TypeError("Cannot use a writer after its unit has ended")): void {
    this.#ended ??= why;
  }

  async #run(
    execute: Execute,
    text: string,
    parameters: Parameters<Execute>[1],
  ): Promise<Executed> {
    if (this.#ended !== undefined) throw this.#ended;
    if (this.#failure !== undefined) throw this.#failure;
    try {
      return await execute(text, parameters);
    } catch (error) {
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }
}

/** What a unit that overran its time is refused with. */
export function unitTimeout(limitMs: number): UnitTimeoutError {
  return new UnitTimeoutError(
    `Cannot finish this write within ${limitMs} ms: a unit must await nothing but its writer`,
  );
}
