import { describe, expect, expectTypeOf, test } from "vitest";
import {
  createClient,
  defineObjectTypes,
  type Client,
  type FileValue,
  type GeoPoint,
  type JsonObject,
  type Resources,
} from "#client/index.ts";

const objectTypes = defineObjectTypes([
  {
    name: "PlanningApplication",
    slug: "planning-application",
    properties: {
      reference: { type: "string", required: true },
      status: { type: "enum", enum: ["open", "decided"], required: true, default: "open" },
      fee: { type: "number" },
      listed: { type: "boolean", required: true },
      received: { type: "date" },
      size: { type: "string", enum: ["small", "large"] },
      tags: { type: "array", items: { type: "string" } },
      stages: {
        type: "array",
        items: {
          type: "object",
          properties: { name: { type: "string", required: true }, at: { type: "datetime" } },
        },
      },
      anything: { type: "object" },
      site: { type: "geopoint", required: true },
      plans: { type: "file", required: true },
      officer: { type: "reference", targetObjectType: "officer" },
    },
    linkTypes: [
      { name: "parent", targetObjectType: "planning-application", cardinality: "one" },
      { name: "objections", targetObjectType: "objection" },
    ],
    actions: [{ name: "decide" }, { name: "withdraw" }],
  },
  { name: "Objection", slug: "objection", properties: { text: { type: "text" } } },
]);

const options = { baseUrl: "http://127.0.0.1:1", token: "t", tenantId: "x" };
const client = createClient<typeof objectTypes>(options);
const applications = client.useResources("planning-application");

type Stored = Awaited<ReturnType<typeof applications.get>>["data"];
type Given = Parameters<typeof applications.create>[0];

test("the definitions come back as they are", () => {
  expect(objectTypes[0].slug).toBe("planning-application");
  expect(applications).toHaveProperty("create");
});

// The compiler checks these tests: `npm run check`.
describe("records of a project's Object Types", () => {
  test("have the values that their properties say", () => {
    expectTypeOf<Stored["reference"]>().toEqualTypeOf<string>();
    expectTypeOf<Stored["status"]>().toEqualTypeOf<"open" | "decided">();
    expectTypeOf<Stored["listed"]>().toEqualTypeOf<boolean>();
    expectTypeOf<Stored["site"]>().toEqualTypeOf<GeoPoint>();
    expectTypeOf<NonNullable<Stored["fee"]>>().toEqualTypeOf<number>();
    expectTypeOf<NonNullable<Stored["received"]>>().toEqualTypeOf<string>();
    expectTypeOf<NonNullable<Stored["size"]>>().toEqualTypeOf<"small" | "large">();
    expectTypeOf<NonNullable<Stored["tags"]>>().toEqualTypeOf<string[]>();
    expectTypeOf<NonNullable<Stored["anything"]>>().toEqualTypeOf<JsonObject>();
    expectTypeOf<NonNullable<Stored["plans"]>>().toEqualTypeOf<FileValue>();
    expectTypeOf<NonNullable<Stored["officer"]>>().toEqualTypeOf<string>();
    expectTypeOf<NonNullable<Stored["stages"]>[number]>().toEqualTypeOf<{
      name: string;
      at?: string | null | undefined;
    }>();
  });

  test("may lack optional values and files", () => {
    expectTypeOf<Stored["fee"]>().toEqualTypeOf<number | null | undefined>();
    expectTypeOf<Stored["plans"]>().toEqualTypeOf<FileValue | null | undefined>();
  });

  test("have their links: one id, or a list of ids", () => {
    expectTypeOf<Stored["parent"]>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<Stored["objections"]>().toEqualTypeOf<string[] | null | undefined>();
  });

  test("require values without a default, and no file", () => {
    expectTypeOf<{
      reference: string;
      listed: boolean;
      site: GeoPoint;
    }>().toExtend<Given>();
    expectTypeOf<{ reference: string; listed: boolean }>().not.toExtend<Given>();
    expectTypeOf<keyof Given>().not.toEqualTypeOf<keyof Stored>();
    expectTypeOf<"plans">().not.toExtend<keyof Given>();
  });

  test("have files on file properties only", () => {
    expectTypeOf<Parameters<typeof applications.uploadFile>[1]>().toEqualTypeOf<"plans">();
    expectTypeOf<Parameters<typeof applications.deleteFile>[1]>().toEqualTypeOf<"plans">();
    const objections = client.useResources("objection");
    expectTypeOf<Parameters<typeof objections.fileUrl>[1]>().toBeNever();
  });

  test("know their slugs and actions, and nothing else", () => {
    expectTypeOf<Parameters<typeof client.useResources>[0]>().toEqualTypeOf<
      "planning-application" | "objection"
    >();
    expectTypeOf<Parameters<typeof applications.execute>[1]>().toEqualTypeOf<
      "decide" | "withdraw"
    >();
    expectTypeOf<"nosuch">().not.toExtend<keyof Stored>();
  });

  test("come the same from lists, pages and iterators", () => {
    type Listed = Awaited<ReturnType<typeof applications.list>>["items"][number]["data"];
    type Iterated = ReturnType<typeof applications.all> extends AsyncIterable<infer One> ? One : 0;
    expectTypeOf<Listed>().toEqualTypeOf<Stored>();
    expectTypeOf<Iterated>().toExtend<{ readonly data: Stored; readonly version: number }>();
    expectTypeOf(client.forTenant("y")).toEqualTypeOf<Client<typeof objectTypes>>();
  });

  test("without Object Types are any JSON, of any type", () => {
    const plain = createClient(options);
    expectTypeOf(plain).toEqualTypeOf<Client>();
    expectTypeOf(plain.useResources("whatever")).toEqualTypeOf<Resources>();
    expectTypeOf<Parameters<Resources["create"]>[0]>().toEqualTypeOf<JsonObject>();
  });

  test("of a pulled file are typed, with any additional members", () => {
    const pulled = [
      {
        name: "Permit",
        slug: "permit",
        colour: "not of ours",
        properties: { kind: { type: "enum", enum: ["a", "b"], required: true, shade: 3 } },
        linkTypes: [],
        actions: [],
      },
    ] as const;
    const permits = createClient<typeof pulled>(options).useResources("permit");
    type Permit = Awaited<ReturnType<typeof permits.get>>["data"];
    expectTypeOf<Permit>().toEqualTypeOf<{ kind: "a" | "b" }>();
  });
});
