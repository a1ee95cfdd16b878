import type { ObjectTypeCreation } from "#contract/object-types/object-types.ts";
import type { RunningPlatform } from "../platform-process.ts";

/** The answer to a request; a broken connection rejects instead. */
export interface DrillAnswer {
  readonly status: number;
  readonly json: unknown;
}

export const drillType = {
  name: "DrillRecord",
  slug: "drill-record",
  properties: {
    marker: { type: "string", indexed: true },
    batch: { type: "string", indexed: true },
    count: { type: "integer" },
    note: { type: "text" },
  },
} satisfies Partial<ObjectTypeCreation>;

/** A caller of a platform that may die and come back at another address. */
export class DrillSession {
  readonly #token: string;
  readonly url: string;
  readonly tenantId: string;

  constructor(url: string, token: string, tenantId: string) {
    this.url = url;
    this.#token = token;
    this.tenantId = tenantId;
  }

  get authorization(): string {
    return `Bearer ${this.#token}`;
  }

  /** Makes the workspace and the type that drills use. */
  static async create(platform: RunningPlatform): Promise<DrillSession> {
    const token = await platform.token();
    const anywhere = new DrillSession(platform.url, token, "");
    const workspace = { slug: "drill", displayName: "Drill", homeRegion: "eu" };
    const { id } = await anywhere.#made<{ id: string }>("/v4/platform/tenants", workspace);
    const session = new DrillSession(platform.url, token, id);
    await session.#made("/v4/data/resources/object-types", drillType);
    return session;
  }

  /** A record that documents may belong to; answers its id. */
  async makeApplication(): Promise<string> {
    const type = { name: "PlanningApplication", slug: "planning-application", properties: {} };
    await this.#made("/v4/data/resources/object-types", type);
    const path = `/v4/data/resources/${this.tenantId}/planning-application`;
    return (await this.#made<{ id: string }>(path, {})).id;
  }

  /** This caller at the platform's present address. */
  at(platform: Pick<RunningPlatform, "url">): DrillSession {
    return new DrillSession(platform.url, this.#token, this.tenantId);
  }

  /** This caller in another workspace. */
  within(tenantId: string): DrillSession {
    return new DrillSession(this.url, this.#token, tenantId);
  }

  /** `path` is below the type's own address unless it begins with `/v4`. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<DrillAnswer> {
    const own = `/v4/data/resources/${this.tenantId}/${drillType.slug}`;
    const response = await fetch(this.url + (path.startsWith("/v4") ? path : own + path), {
      method,
      // The runtime repeats a request whose kept connection breaks, so that it takes effect twice.
      keepalive: false,
      headers: {
        authorization: this.authorization,
        ...(this.tenantId === "" ? {} : { "x-tenant-id": this.tenantId }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === "" ? undefined : JSON.parse(text) };
  }

  /** Uploads a text as a document of a record. */
  async upload(application: string, text: string, filename = "drill.txt"): Promise<DrillAnswer> {
    const form = new FormData();
    form.append("tenant_id", this.tenantId);
    form.append("storage_target", "resourceapi");
    form.append("processing_mode", "store_only");
    form.append("planning_application_id", application);
    form.append("files", new Blob([text], { type: "text/plain" }), filename);
    const headers = { authorization: this.authorization, "x-tenant-id": this.tenantId };
    const url = `${this.url}/v4/data/documents/upload`;
    const response = await fetch(url, { method: "POST", headers, body: form });
    return { status: response.status, json: await response.json() };
  }

  /** The content of a document. */
  async content(documentId: string): Promise<string> {
    const headers = { authorization: this.authorization, "x-tenant-id": this.tenantId };
    const url = `${this.url}/v4/data/documents/records/${documentId}/content`;
    const response = await fetch(url, { headers });
    if (response.status === 200) return response.text();
    throw new Error(`document ${documentId}: ${response.status} ${await response.text()}`);
  }

  /** How many records pass a filter. */
  async count(where: object): Promise<number> {
    const query = new URLSearchParams({ where: JSON.stringify(where), count: "true", limit: "1" });
    const { json } = await this.expect(200, "GET", `?${query.toString()}`);
    return Number(memberOf(json, "total"));
  }

  async expect(status: number, method: string, path: string, body?: unknown): Promise<DrillAnswer> {
    const answer = await this.call(method, path, body);
    if (answer.status === status) return answer;
    throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.json)}`);
  }

  async #made<Shape>(path: string, body: unknown): Promise<Shape> {
    return (await this.expect(201, "POST", path, body)).json as Shape;
  }
}

const callersAtOnce = 4;

/** Calls `work` for each number below the count, with some calls at once. */
export async function inTurns(count: number, work: (turn: number) => Promise<void>): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    for (let turn = next++; turn < count; turn = next++) await work(turn);
  };
  await Promise.all(Array.from({ length: callersAtOnce }, caller));
}

/** A member of a JSON object; undefined where there is none. */
export function memberOf(json: unknown, name: string): unknown {
  return typeof json === "object" && json !== null && Object.hasOwn(json, name)
    ? Object.entries(json).find(([key]) => key === name)?.[1]
    : undefined;
}
