import { expect } from "vitest";
import { field, type Answered, type TestPlatform, type TestUser } from "#test/support/platform.ts";

/** The name of the field that only some roles read. */
export const secretName = "verdictnotes";

export type RoleOfTest = Extract<TestUser, `tenant-${string}`>;
export const rolesOfTest: readonly RoleOfTest[] = [
  "tenant-viewer",
  "tenant-staff",
  "tenant-builder",
  "tenant-admin",
];

export interface Rights {
  readonly readRoles?: readonly string[];
  readonly writeRoles?: readonly string[];
}

/** A type whose fields of secrets have these rights, and whose records have others. */
function typeWith(slug: string, secretWord: string, ofField: Rights, ofType: Rights): object {
  return {
    name: `T${slug.replaceAll("-", "")}`,
    slug,
    ...ofType,
    properties: {
      title: { type: "string", searchable: true, indexed: true },
      [secretName]: { type: "string", searchable: true, indexed: true, unique: true, ...ofField },
      [`${secretName}stamp`]: { type: "string", default: `d ${secretWord}`, ...ofField },
      label: { type: "string", unique: true },
      plan: { type: "file", ...ofField },
      visit: { type: "reference", targetObjectType: slug.replace("case", "visit") },
      place: { type: "geopoint", ...ofField },
      spot: { type: "geopoint" },
      state: { type: "string", default: "open" },
    },
    linkTypes: [{ name: "peers", targetObjectType: slug, cardinality: "many", ...ofField }],
    actions: [
      {
        name: "note",
        requires: "tenant-staff",
        parameters: { text: { type: "string" } },
        set: { [secretName]: { $parameter: "text" } },
      },
      { name: "seal", requires: "tenant-staff", set: { [secretName]: `sealed ${secretWord}` } },
      {
        name: "advance",
        requires: "tenant-staff",
        transition: { property: secretName, from: ["no such state"], to: "done" },
      },
    ],
  };
}

export interface World {
  readonly the: TestPlatform;
  readonly slug: string;
  /** A word of the values of fields with rights; a leak is an answer that has it. */
  readonly secretWord: string;
  /** The path of the type's records. */
  readonly path: string;
  readonly workspace: string;
  /** A type whose records refer to these, and the id of one. */
  readonly visitSlug: string;
  readonly visits: string;
  readonly visit: string;
  /** A record with a value of each field. */
  readonly id: string;
  /** Headers of routes that name the workspace in a header. */
  readonly headers: Readonly<Record<string, string>>;
}

export function good(answered: Answered): Answered {
  expect({ status: answered.status, text: answered.text }).toMatchObject({
    status: expect.toSatisfy((status: number) => status < 300),
  });
  return answered;
}

let types = 0;

/** A new type with two records, made by an administrator. */
export async function furnished(
  the: TestPlatform,
  ofField: Rights,
  ofType: Rights = {},
): Promise<World> {
  types += 1;
  const slug = `case-${types}`;
  const secretWord = newWord();
  const { tenant: workspace } = the.workspaces;
  const headers = { "x-tenant-id": workspace };
  const admin = the.as("tenant-admin");
  const path = `/v4/data/resources/${workspace}/${slug}`;
  const type = typeWith(slug, secretWord, ofField, ofType);
  const visitSlug = `visit-${types}`;
  const of = { type: "reference", targetObjectType: slug };
  const visitType = { name: `Visit${types}`, slug: visitSlug, properties: { of } };
  const create = [type, visitType];
  good(await admin.post("/v4/data/resources/object-types/batch", { create }, { headers }));
  const other = good(await admin.post(path, { title: "Beech", [secretName]: `b ${secretWord}` }));
  const data = {
    title: "Ash",
    label: "of-all",
    [secretName]: `a ${secretWord}`,
    place: { type: "Point", coordinates: [13.375, 52.518] },
    spot: { type: "Point", coordinates: [13.4, 52.5] },
    peers: [field(other.json, "id")],
  };
  const made = good(await admin.post(path, data));
  const id = String(field(made.json, "id"));
  const plan = { headers: { "content-type": "text/plain" }, rawBody: `The plan of ${secretWord}` };
  const put = await admin.call("POST", `${path}/${id}/files/plan?filename=${secretWord}.txt`, plan);
  good(put);
  const visits = `/v4/data/resources/${workspace}/${visitSlug}`;
  const visit = String(field(good(await admin.post(visits, { of: id })).json, "id"));
  good(await admin.patch(`${path}/${id}`, { data: { visit } }));
  return { the, slug, secretWord, visitSlug, visits, visit, path, workspace, id, headers };
}

/** A word of letters that is like no other one. */
function newWord(): string {
  return crypto
    .randomUUID()
    .replaceAll("-", "")
    .replaceAll(/\d/g, (digit) => "ghijklmnop"[Number(digit)] ?? "");
}
