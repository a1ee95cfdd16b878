import type * as z from "zod";

/** What the sample data is filled in through: the platform's own door, as the first user. */
export interface SampleDataTarget {
  readonly baseUrl: string;
  readonly token: string;
  fetch(request: Request): Promise<Response>;
}

/** The platform refused a part of its own sample data: a fault of ours, with what it said. */
class SampleDataRefused extends Error {
  override readonly name = "SampleDataRefused";
}

/** Calls v4 routes, so that sample data obeys every rule that other data obeys. */
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
      throw new SampleDataRefused(`${method} ${path}: ${response.status} ${text.slice(0, 2000)}`);
    }
    return schema.parse(text === "" ? null : JSON.parse(text));
  }
}
