import type * as z from "zod";
import { catalogError } from "#contract/errors.ts";
import { problem } from "#contract/problems.ts";

/** What the sample data is filled in through: the platform's own door, as the first user. */
export interface SampleDataTarget {
  readonly baseUrl: string;
  readonly token: string;
  fetch(request: Request): Promise<Response>;
  /** What to do when the platform could not take a part of it. */
  readonly whenRefused?: string;
}

/**
 * Calls v4 routes, so that sample data obeys every rule that other data obeys. What a route refuses
 * is E203: a database without room or without a connection left, or a fault of ours.
 */
export class SampleDataCaller {
  constructor(
    private readonly target: SampleDataTarget,
    readonly tenantId?: string,
  ) {}

  within(tenantId: string): SampleDataCaller {
    return new SampleDataCaller(this.target, tenantId);
  }

  async call<Schema extends z.ZodType>(
    method: string,
    path: string,
    schema: Schema,
    body?: object,
  ): Promise<z.output<Schema>> {
    const form = body instanceof FormData;
    const headers: Record<string, string> = { authorization: `Bearer ${this.target.token}` };
    if (this.tenantId !== undefined) headers["x-tenant-id"] = this.tenantId;
    if (body !== undefined && !form) headers["content-type"] = "application/json";
    const request = new Request(this.target.baseUrl + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
    });
    const response = await this.target.fetch(request);
    const text = await response.text();
    if (!response.ok) {
      const { status } = response;
      const why = `${refusalWords(text)} (${status} at ${method} ${path})`;
      const hint = this.target.whenRefused;
      throw catalogError(
        "E203",
        { details: `the sample data can't be filled in: ${why}` },
        { status, ...(hint === undefined ? {} : { hint }) },
      );
    }
    return schema.parse(text === "" ? null : JSON.parse(text));
  }
}

/** What a problem says of itself, without a full stop. */
function refusalWords(text: string): string {
  const { detail, title } = problem.parse(JSON.parse(text));
  return (detail ?? title).replace(/\.$/, "");
}
