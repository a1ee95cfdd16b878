import type { JsonObject } from "#contract/values.ts";
import { mergePatched } from "#lib/json/merge-patch.ts";

/** A second, simpler implementation of the records of one type, in memory. */

export interface ModelRecord {
  readonly version: number;
  readonly data: JsonObject;
}

export type Operation =
  | { readonly op: "create"; readonly data: JsonObject }
  | {
      readonly op: "update";
      readonly id: string;
      readonly data: JsonObject;
      readonly version: number;
    }
  | {
      readonly op: "patch";
      readonly id: string;
      readonly data: JsonObject;
      readonly version?: number;
    }
  | {
      readonly op: "upsert";
      readonly property: "code";
      readonly value: string;
      readonly data: JsonObject;
      readonly replace?: boolean;
    }
  | { readonly op: "delete"; readonly id: string };

export class Model {
  readonly records: Map<string, ModelRecord>;
  /** The operations of each record that ever was, the oldest first. */
  readonly histories: Map<string, readonly string[]>;

  constructor(before?: Model) {
    this.records = new Map(before?.records);
    this.histories = new Map(before?.histories);
  }

  /** The status of a write, which the model then has under this id if it creates a record. */
  write(operation: Operation, newId: string): number {
    return this.#writeAs(operation, newId, this.idOf(operation));
  }

  #writeAs(operation: Operation, newId: string, found: string | undefined): number {
    const { op } = operation;
    if (op === "create" || (op === "upsert" && found === undefined)) {
      return this.#create(dataOf(operation), newId);
    }
    const current = found === undefined ? undefined : this.records.get(found);
    if (found === undefined || current === undefined) return 404;
    if (op === "delete") {
      // A record that only refers to itself may go.
      if (this.referring(found).some((id) => id !== found)) return 409;
      this.records.delete(found);
      this.#note(found, "delete");
      return 204;
    }
    if ("version" in operation && operation.version !== current.version) return 409;
    const isWhole = op === "update" || (op === "upsert" && operation.replace === true);
    const given = dataOf(operation);
    const data = isWhole ? given : mergePatched(current.data, given);
    const refusal = this.#refusal(data, found, current.data["parent"]);
    if (refusal !== undefined) return refusal;
    this.records.set(found, { version: current.version + 1, data });
    this.#note(found, "update");
    return 200;
  }

  /** The statuses of a batch, of which each record may be named once. */
  batch(items: readonly Operation[]): number[] {
    const ids = items.map((item) => this.idOf(item));
    const names = items.map((item) => (item.op === "upsert" ? `=${item.value}` : undefined));
    return items.map((item, index) => {
      const isSame = (list: readonly unknown[]): boolean =>
        list[index] !== undefined && list.indexOf(list[index]) < index;
      if (isSame(names) || isSame(ids)) return 422;
      return this.#writeAs(item, `new ${index}`, ids[index]);
    });
  }

  /** Gives a record that a write has created the id that the platform has made. */
  rename(from: string, to: string): void {
    const record = this.records.get(from);
    if (record !== undefined) this.records.set(to, record);
    this.records.delete(from);
    this.histories.set(to, this.histories.get(from) ?? []);
    this.histories.delete(from);
  }

  /** The records that refer to one, the newest first. */
  referring(id: string): string[] {
    const found = [...this.records].filter(([, { data }]) => data["parent"] === id);
    return found
      .map(([key]) => key)
      .toSorted()
      .toReversed();
  }

  idOf(operation: Operation): string | undefined {
    if (operation.op === "create") return undefined;
    if (operation.op !== "upsert") return operation.id;
    return [...this.records].find(([, { data }]) => data["code"] === operation.value)?.[0];
  }

  #create(data: JsonObject, newId: string): number {
    const refusal = this.#refusal(data);
    if (refusal !== undefined) return refusal;
    this.records.set(newId, { version: 1, data });
    this.#note(newId, "create");
    return 201;
  }

  #refusal(data: JsonObject, id?: string, formerParent?: unknown): number | undefined {
    if (isInvalid(data)) return 422;
    const { parent } = data;
    if (
      parent !== undefined &&
      parent !== formerParent &&
      !this.records.has(`${parent as string}`)
    ) {
      return 422;
    }
    const isTaken = [...this.records].some(
      ([other, record]) => other !== id && record.data["code"] === data["code"],
    );
    return isTaken ? 409 : undefined;
  }

  #note(id: string, operation: string): void {
    this.histories.set(id, [...(this.histories.get(id) ?? []), operation]);
  }
}

function dataOf(operation: Operation): JsonObject {
  if (operation.op === "delete") return {};
  if (operation.op !== "upsert") return operation.data;
  return { ...operation.data, code: operation.value };
}

function isInvalid({ code, amount }: JsonObject): boolean {
  return typeof code !== "string" || (typeof amount === "number" && amount < 0);
}
