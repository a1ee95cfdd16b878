import type { Promisable } from "../kit/promisable.ts";
import type { Writer } from "./database.ts";
import { ExecutingReader, type Execute, type Executed } from "./reader.ts";
import { render, type Dialect, type Statement } from "./statement.ts";

/**
 * The writer of one unit; it refuses statements after the unit has ended. The first failed
 * statement fails the unit on both engines, as PostgreSQL does, so that a unit never commits half
 * of its work.
 */
export class UnitWriter extends ExecutingReader implements Writer {
  #failure: Error | undefined;
  #isEnded = false;
  /** Why it has ended, where it is not for the end of its unit. */
  #why: Error | undefined;
  readonly #last: Statement[] = [];

  constructor(dialect: Dialect, execute: Execute) {
    super(dialect, (text, parameters) => this.#run(execute, text, parameters));
  }

  get failure(): Error | undefined {
    return this.#failure;
  }

  async run(statement: Statement): Promise<{ changedRows: number }> {
    const { text, parameters } = render(statement, this.dialect);
    const executed = this.execute(text, parameters);
    const { changedRows } = executed instanceof Promise ? await executed : executed;
    return { changedRows };
  }

  get last(): readonly Statement[] {
    return this.#last;
  }

  runLast(statement: Statement): void {
    this.#refuseEnded();
    this.#last.push(statement);
  }

  end(why?: Error): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#why = why;
  }

  /** Makes its error only here: an error for each unit would be a measurable part of it. */
  #refuseEnded(): void {
    if (!this.#isEnded) return;
    throw this.#why ?? new TypeError("Cannot use a writer after its unit has ended");
  }

  #run(execute: Execute, text: string, parameters: Parameters<Execute>[1]): Promisable<Executed> {
    this.#refuseEnded();
    if (this.#failure !== undefined) throw this.#failure;
    try {
      const executed = execute(text, parameters);
      return executed instanceof Promise ? executed.catch((error) => this.#fail(error)) : executed;
    } catch (error) {
      return this.#fail(error);
    }
  }

  #fail(error: unknown): never {
    this.#failure ??= error instanceof Error ? error : new Error(String(error));
    throw error;
  }
}
