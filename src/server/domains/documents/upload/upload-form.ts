import { uploadFieldAliases, uploadFields, type UploadFields } from "#contract/documents/upload.ts";
import { pointer, Refusal, type Fault } from "#contract/problems.ts";
import { invalid, validated } from "../../../kit/faults.ts";

const keyPair = ["vertical_key", "workflow_key"] as const;

/** Checks the text fields of an upload form (spec 2.5). Pointers use the sent names. */
export class UploadForm {
  readonly #values = new Map<string, string>();
  readonly #faults: Fault[] = [];
  readonly #sent = new Set<string>();

  add({ name, value }: { readonly name: string; readonly value: string }): void {
    this.#sent.add(pointer(name));
    const isAlias = Object.hasOwn(uploadFieldAliases, name);
    const canonical = isAlias ? (uploadFieldAliases[name] ?? name) : name;
    const known = this.#values.get(canonical);
    if (known === undefined) this.#values.set(canonical, value);
    else if (known !== value) this.#fault(name, "conflicts with another value of the same field");
    else if (!isAlias) this.#fault(name, "is given more than once");
  }

  /** True if the fault is about a field that was not sent. */
  lacks(fault: Fault): boolean {
    return !this.#sent.has(fault.pointer);
  }

  /** The fields, or 422 with a pointer to each fault. */
  finish(): UploadFields {
    const faults = [...this.#faults, ...this.#pairFaults()];
    try {
      const fields = validated(uploadFields, Object.fromEntries(this.#values), "body");
      if (faults.length === 0) return fields;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const named = new Set(faults.map((fault) => fault.pointer));
      faults.push(...(error.options.errors ?? []).filter((fault) => !named.has(fault.pointer)));
    }
    throw invalid(faults.map(explained));
  }

  #pairFaults(): Fault[] {
    const missing = keyPair.filter((name) => (this.#values.get(name) ?? "").trim() === "");
    if (missing.length === 2 && !keyPair.some((name) => this.#values.has(name))) return [];
    return missing.map((name) => ({
      pointer: pointer(name),
      detail: this.#values.has(name) ? "is blank" : "is required: the two keys are a pair",
    }));
  }

  #fault(name: string, detail: string): void {
    this.#faults.push({ pointer: pointer(name), detail });
  }
}

function explained(fault: Fault): Fault {
  if (fault.pointer !== pointer("application_id")) return fault;
  return { ...fault, detail: "is not another name for planning_application_id" };
}
