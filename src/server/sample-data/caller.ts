import { given } from "#lib/given.ts";
import type * as z from "zod";
import { catalogError } from "#contract/errors.ts";
import { listBody } from "#contract/lists.ts";
import { problem } from "#contract/problems.ts";

/** The platform that gets the sample data, with the first user's token. */
export interface SampleDataTarget {
  readonly baseUrl: string;
  readonly token: string;
  fetch(request: Request): Promise<Response>;
  /** Accepts the invitation with this secret for its sample person. */
  admit(secret: string): Promise<unknown>;
  /** The next step that the error names when the platform refuses a part. */
  readonly whenRefused?: string;
}

/** Calls v4 routes, so that the sample data obeys every rule. A refusal becomes E203. */
export class SampleDataCaller {
  constructor(
    private readonly target: SampleDataTarget,
    readonly tenantId?: string,
  ) {}

  within(tenantId: string): SampleDataCaller {
    return new SampleDataCaller(this.target, tenantId);
  }

  /** The first 500 items of a list. */
  async list<Item extends z.ZodType>(
    path: string,
    item: Item,
    sort?: string,
  ): Promise<z.output<Item>[]> {
    const query = sort === undefined ? "?limit=500" : `?limit=500&sort=${sort}`;
    return (await this.call("GET", path + query, listBody(item))).items;
  }

  async call<Schema extends z.ZodType>(
    method: string,
    path: string,
    schema: Schema,
    body?: object,
  ): Promise<z.output<Schema>> {
    const isForm = body instanceof FormData;
    const headers: Record<string, string> = { authorization: `Bearer ${this.target.token}` };
    if (this.tenantId !== undefined) headers["x-tenant-id"] = this.tenantId;
    if (body !== undefined && !isForm) headers["content-type"] = "application/json";
    const request = new Request(this.target.baseUrl + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const response = await this.target.fetch(request);
    const text = await response.text();
    if (response.ok) return schema.parse(text === "" ? null : JSON.parse(text));
    const { status } = response;
    const { detail, title } = problem.parse(JSON.parse(text));
    const reason = `${(detail ?? title).replace(/\.$/, "")} (${status} at ${method} ${path})`;
    const hint = this.target.whenRefused;
    throw catalogError(
      "E203",
      { details: `the sample data cannot be created: ${reason}` },
      { status, ...given({ hint }) },
    );
  }
}
