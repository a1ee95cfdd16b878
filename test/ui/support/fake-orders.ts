import { createHash } from "node:crypto";
import type { JsonObject } from "#contract/values.ts";
import { mergePatched } from "#lib/json/merge-patch.ts";
import { changedNames, difference } from "#server/domains/records/store/patch.ts";

/**
 * Records of a type with everything a record can have: references, nested values, files, actions,
 * and each version that was ever written.
 */

const orderType = {
  id: "01936f00-0000-7000-8000-0000000000f4",
  name: "WorksOrder",
  slug: "works-order",
  properties: {
    reference: { type: "string", required: true, pattern: "^WO-[0-9]+$", unique: true },
    status: { type: "enum", required: true, enum: ["open", "decided", "withdrawn"] },
    application: { type: "reference", targetObjectType: "planning-application" },
    due: { type: "date" },
    urgent: { type: "boolean", default: false },
    cost: { type: "number", minimum: 0 },
    note: { type: "text" },
    place: { type: "geopoint", writeRoles: ["tenant-admin"] },
    parts: { type: "array", items: { type: "object" } },
    related: {
      type: "array",
      items: { type: "reference", targetObjectType: "planning-application" },
    },
    plans: { type: "file", accept: ["application/pdf"] },
  },
  actions: [
    {
      name: "decide",
      displayName: "Decide",
      parameters: { reason: { type: "string", required: true, minLength: 3 } },
      transition: { property: "status", from: ["open"], to: "decided" },
    },
    { name: "purge", requires: "tenant-admin" },
  ],
  recordCount: 1,
};

const orderId = "01936f00-0000-7000-8000-00000000c001";
const at = "2026-11-20T10:00:00.000Z";
const oid = "01936f00-0000-7000-8000-0000000000aa";

/** Another user's write just before the first change of the order. */
export type Meanwhile = "change" | "delete" | "retype";

type Data = Record<string, unknown>;

interface Version {
  readonly operation: string;
  readonly data: Data;
}

function json(body: unknown, status = 200): Response {
  return Response.json(body, { status });
}

function refused(status: number, code: string, detail: string, members: Data = {}): Response {
  return new Response(
    JSON.stringify({ type: `/problems/${code}`, title: detail, status, detail, code, ...members }),
    { status, headers: { "content-type": "application/problem+json" } },
  );
}

export class FakeOrders {
  readonly #versions: Version[];
  readonly #files = new Map<string, Uint8Array>();
  #meanwhile: Meanwhile | undefined;
  #isDeleted = false;
  #isRetyped = false;

  constructor(
    applicationId: string,
    options: {
      hostile: boolean;
      meanwhile: Meanwhile | undefined;
      longNote?: number | undefined;
    },
  ) {
    const note = options.hostile
      ? "\x1b]0;owned\x07\x1b[2J\x1b[31mred\x1b[0m\u202egnp.exe\r\nnew line\x1b]52;c;cm0=\x07"
      : options.longNote === undefined
        ? "Replace the gutter"
        : "y".repeat(options.longNote);
    const data = {
      reference: "WO-1",
      status: "open",
      application: applicationId,
      due: "2026-12-14",
      urgent: false,
      cost: 100,
      note,
      place: { type: "Point", coordinates: [-2.9561, 53.4043] },
      parts: [{ name: "gutter", count: 2 }, { name: "bracket" }],
    };
    this.#versions = [
      { operation: "create", data },
      { operation: "update", data: { ...data, cost: 120 } },
    ];
    this.#meanwhile = options.meanwhile;
  }

  get type() {
    if (!this.#isRetyped) return orderType;
    const { cost: _, ...kept } = orderType.properties;
    return { ...orderType, properties: { ...kept, ward: { type: "string", required: true } } };
  }

  get #current(): Data {
    return this.#versions.at(-1)?.data ?? {};
  }

  resource(version = this.#versions.length) {
    return {
      id: orderId,
      type: orderType.slug,
      version,
      data: this.#versions[version - 1]?.data ?? {},
      created_at: at,
      updated_at: at,
      created_by: oid,
      updated_by: oid,
    };
  }

  /** Answers what is asked below `/works-order`; `rest` is the path after it. */
  async answer(request: Request, rest: readonly string[], url: URL): Promise<Response> {
    const [id, part, name] = rest;
    if (id === undefined) {
      if (request.method === "GET") return json({ items: [this.resource()], total: 1 });
      const made = (await request.json()) as Data;
      if (made["reference"] === "WO-1" && !this.#isDeleted) {
        const errors = [
          { pointer: "#/reference", detail: "is the value of another record already" },
        ];
        return refused(409, "already-exists", "Cannot store this record", { errors });
      }
      return json({ ...this.resource(), id: crypto.randomUUID(), version: 1, data: made }, 201);
    }
    if (part === "history") return json({ items: this.#history(), hasNextPage: false });
    if (part === "actions") return this.#act(name ?? "", (await request.json()) as Data);
    if (part === "restore") return this.#restore((await request.json()) as Data);
    if (part === "files") return this.#file(request, name ?? "", url);
    if (request.method === "PATCH") {
      const { data, version } = (await request.json()) as { data: JsonObject; version: number };
      return this.#update({ data: mergePatched(this.#current, data), version });
    }
    if (request.method === "PUT") return this.#update((await request.json()) as Data);
    const version = url.searchParams.get("version");
    return json(this.resource(version === null ? undefined : Number(version)));
  }

  #write(operation: string, data: Data): Response {
    this.#versions.push({ operation, data });
    return json(this.resource());
  }

  #update({ data, version }: Data): Response {
    const meanwhile = this.#meanwhile;
    this.#meanwhile = undefined;
    if (meanwhile === "change") {
      this.#write("update", { ...this.#current, cost: 500, due: "2027-01-31" });
    }
    if (meanwhile === "delete") this.#isDeleted = true;
    if (meanwhile === "retype") this.#isRetyped = true;
    if (this.#isDeleted) return refused(404, "resource-not-found", "works-order not found");
    const known = this.type.properties;
    const errors = [
      ...("ward" in known && (data as Data)["ward"] === undefined
        ? [{ pointer: "#/data/ward", detail: "is required" }]
        : []),
      ...Object.keys(data as Data)
        .filter((name) => !(name in known))
        .map((name) => ({ pointer: `#/data/${name}`, detail: "is not a property of this type" })),
    ];
    if (errors.length > 0) return refused(422, "validation-failed", "It is not valid", { errors });
    const from = Number(version);
    if (from !== this.#versions.length) {
      const before = this.#versions[from - 1]?.data ?? {};
      return refused(409, "version-conflict", "Cannot change this record", {
        currentVersion: this.#versions.length,
        changedFields: changedNames(difference(before, this.#current)),
      });
    }
    return this.#write("update", data as Data);
  }

  #act(name: string, { parameters, version }: Data): Response {
    if (this.#meanwhile === "change") this.#write("update", { ...this.#current, cost: 500 });
    this.#meanwhile = undefined;
    if (version !== this.#versions.length) {
      return refused(409, "version-conflict", "Cannot change this record", {
        currentVersion: this.#versions.length,
        changedFields: ["cost"],
      });
    }
    if (this.#current["status"] !== "open") {
      return refused(409, "conflict", `Cannot ${name} this record: its status is not "open"`);
    }
    const { reason } = parameters as Data;
    return this.#write(name, { ...this.#current, status: "decided", note: reason });
  }

  #restore({ version }: Data): Response {
    return this.#write("restore", this.#versions[Number(version) - 1]?.data ?? {});
  }

  #history() {
    return this.#versions
      .map(({ operation, data }, index) => {
        const before = this.#versions[index - 1]?.data;
        const changes =
          before === undefined ? [{ op: "add", path: "", value: data }] : difference(before, data);
        return { version: index + 1, operation, at, actor: oid, changes };
      })
      .toReversed();
  }

  async #file(request: Request, property: string, url: URL): Promise<Response> {
    const { [property]: _, ...others } = this.#current;
    if (request.method === "DELETE") {
      this.#files.delete(property);
      this.#write("update", others);
      return new Response(null, { status: 204 });
    }
    if (request.method === "GET") {
      const bytes = this.#files.get(property);
      if (bytes === undefined) return refused(404, "not-found", "There is no file");
      return new Response(Buffer.from(bytes), { headers: { "content-type": "application/pdf" } });
    }
    const bytes = new Uint8Array(await request.arrayBuffer());
    this.#files.set(property, bytes);
    const file = {
      filename: url.searchParams.get("filename") ?? "",
      contentType: request.headers.get("x-file-content-type") ?? "",
      size: bytes.byteLength,
      sha256: createHash("sha256").update(bytes).digest("hex"),
    };
    this.#write("update", { ...others, [property]: file });
    return json({ property, ...file, version: this.#versions.length }, 201);
  }
}
