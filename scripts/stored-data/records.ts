import type { RecordedPlatform } from "./recorded-platform.ts";
import type { Issued } from "./issued.ts";

const type = "inspection";

/** A property of each kind that a definition can have. */
const definition = {
  name: "Inspection",
  slug: type,
  displayName: "Inspection",
  properties: {
    reference: { type: "string", required: true, unique: true, searchable: true, pattern: "^IN-" },
    notes: { type: "text", searchable: true },
    visits: { type: "integer", indexed: true },
    score: { type: "number", indexed: true },
    passed: { type: "boolean" },
    day: { type: "date", indexed: true },
    at: { type: "datetime" },
    inspector: { type: "email" },
    page: { type: "url" },
    state: { type: "enum", enum: ["planned", "done"], required: true },
    place: { type: "geopoint" },
    rooms: {
      type: "array",
      items: { type: "object", properties: { name: { type: "string" }, area: { type: "number" } } },
    },
    application: { type: "reference", targetObjectType: "planning-application" },
    photo: { type: "file", accept: ["image/png", "text/plain"] },
  },
  linkTypes: [{ name: "others", targetObjectType: type, cardinality: "many" }],
  actions: [
    {
      name: "finish",
      requires: "tenant-staff",
      parameters: { score: { type: "number" } },
      transition: { property: "state", from: ["planned"], to: "done" },
      set: { score: { $parameter: "score" } },
    },
  ],
};

const letters = "Gerüst am Dachstuhl geprüft, 日本語, 🏗️ scaffolding";
const large = "9007199254740993123456789";

function inspection(number: number): object {
  return {
    reference: `IN-${String(number).padStart(4, "0")}`,
    notes: number === 1 ? letters : `Visit ${number}`,
    visits: number,
    score: number / 7,
    passed: number % 2 === 0,
    day: `2026-0${1 + (number % 9)}-15`,
    at: "2026-05-06T07:08:09.010Z",
    inspector: "m.okafor@northwind.example",
    page: `https://stored.example/${large}?q=%F0`,
    state: "planned",
    place: { type: "Point", coordinates: [-0.12 + number, 51.5] },
    rooms: [{ name: 'Attic "north"', area: 12.25 }, { name: "" }],
  };
}

/** Makes records with a history, files, an action and deletions in the workspace `main`. */
export async function makeRecords(
  platform: RecordedPlatform,
  main: string,
): Promise<Pick<Issued, "creation" | "records">> {
  const tenant = main;
  const types = "/v4/data/resources/object-types";
  const made = await platform.call("POST", types, { tenant, body: definition });
  await platform.call("PATCH", `${types}/${made.text("id")}`, {
    tenant,
    body: {
      properties: { ...definition.properties, floor: { type: "integer", default: 0 } },
    },
  });
  const path = `/v4/data/resources/${main}/${type}`;
  const key = "stored-creation";
  const body = inspection(1);
  const headers = { "idempotency-key": key };
  const id = (await platform.call("POST", path, { headers, body })).text("id");
  const items = Array.from({ length: 12 }, (_, at) => inspection(at + 2));
  const batch = await platform.call("POST", `${path}/batch/create`, { body: { items } });
  const idAt = (at: number): string => String(batch.value("results", String(at), "id"));
  const changed = idAt(0);
  const links = { application: await firstApplication(platform, main), others: [id, idAt(1)] };
  for (const visits of [20, 30]) {
    const now = { data: { ...inspection(2), ...links, visits }, version: visits / 10 - 1 };
    await platform.call("PUT", `${path}/${changed}`, { body: now });
  }
  await platform.call("POST", `${path}/${changed}/actions/finish`, {
    body: { parameters: { score: 4.5 } },
  });
  await platform.call("DELETE", `${path}/${idAt(2)}`);
  await platform.call("POST", `${path}/batch/delete`, { body: [idAt(3), idAt(4)] });
  const upload = (at: number, text: string) =>
    platform.call("POST", `${path}/${idAt(at)}/files/photo?filename=photo-${at}.txt`, {
      headers: { "content-type": "text/plain" },
      body: new Blob([text]),
    });
  await upload(5, "the first bytes");
  await upload(5, "the bytes of now");
  await upload(6, "bytes to delete");
  await platform.call("DELETE", `${path}/${idAt(6)}/files/photo`);
  return {
    creation: { path, key, body, id },
    records: { type, changed, filed: idAt(5) },
  };
}

async function firstApplication(platform: RecordedPlatform, main: string): Promise<string> {
  const path = `/v4/data/resources/${main}/planning-application`;
  const [first] = (await platform.call("GET", `${path}?limit=1&sort=id`)).items("id");
  return first?.["id"] ?? "";
}

/** Makes records by an import of rows, one of which is refused; returns the import's path. */
export async function makeImport(platform: RecordedPlatform, main: string): Promise<string> {
  const path = `/v4/data/resources/${main}/${type}/imports`;
  const start = { digest: "5a".repeat(32), filename: "inspections.csv" };
  const started = `${path}/${(await platform.call("POST", path, { body: start })).text("id")}`;
  const items = [
    { op: "create", row: 2, data: inspection(900) },
    { op: "create", row: 3, data: { notes: "without a reference" } },
  ];
  await platform.call("POST", `${started}/rows`, { body: { items, last: true } });
  return started;
}
