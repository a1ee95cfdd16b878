import { mappedEffect, type MappedEffect } from "#contract/events/webhook-sources.ts";
import { schemaFaults } from "#contract/schema-faults.ts";
import { pointer } from "#contract/problems.ts";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Permits } from "../../kit/turns/permits.ts";
import { MappingError, mapInChild } from "../../text/extraction/child/map-in-child.ts";

export { MappingError } from "../../text/extraction/child/map-in-child.ts";

/** A call as a mapping sees it. */
export interface MappingInput {
  readonly id: string;
  readonly receivedAt: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body where it is JSON, else its text. */
  readonly body: unknown;
}

/** Runs the mappings of sources in child processes. */
export class Mappings {
  readonly #permits = new Permits({ count: 2, queueLimit: 32, waitLimitMs: 20_000 });

  constructor(
    private readonly parts: {
      readonly extractionCommand: readonly string[];
      readonly dataDirectory: string;
    },
  ) {}

  /** The effect of a call; null if the mapping gives `null` or nothing. Throws MappingError. */
  async effect(
    mapping: string,
    input: MappingInput,
    { workspaceId, signal }: { readonly workspaceId: string; readonly signal: AbortSignal },
  ): Promise<MappedEffect | null> {
    const results = await this.#permits.hold(
      () => this.#run(mapping, input, signal),
      workspaceId,
      signal,
    );
    if (results.length > 1) {
      throw new MappingError(`The mapping gave ${results.length} values; expected one or none`);
    }
    const [result = null] = results;
    if (result === null) return null;
    const parsed = mappedEffect.safeParse(result);
    if (parsed.success) return parsed.data;
    const [fault] = schemaFaults(parsed.error);
    const place = fault === undefined ? "" : ` at ${pointer(...fault.path)}: ${fault.detail}`;
    throw new MappingError(
      `The mapping gave a value that is not an upsert, an action or a document${place}`,
    );
  }

  async #run(mapping: string, input: MappingInput, signal: AbortSignal): Promise<unknown[]> {
    const folder = await mkdtemp(join(this.parts.dataDirectory, "mapping-"));
    try {
      const path = join(folder, "input.json");
      await writeFile(path, JSON.stringify({ program: mapping, input }), { mode: 0o600 });
      return await mapInChild(this.parts.extractionCommand, path, signal);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** The body as a mapping sees it: JSON, the `payload` of a form, or text. */
export function mappedBody(headers: Readonly<Record<string, string>>, bytes: Uint8Array): unknown {
  const text = textOf(bytes);
  if (text === null) return null;
  const isForm = (headers["content-type"] ?? "").startsWith("application/x-www-form-urlencoded");
  const json = isForm ? (new URLSearchParams(text).get("payload") ?? text) : text;
  try {
    return JSON.parse(json);
  } catch {
    return text;
  }
}

/** The text of a body; null for bytes that are not UTF-8. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
