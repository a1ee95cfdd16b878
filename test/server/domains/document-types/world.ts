import { expect } from "vitest";
import { field, type TestPlatform } from "#test/support/platform.ts";
import { eventually } from "#test/support/eventually.ts";
import { of } from "../classifiers/world.ts";

export const analyzer = {
  displayName: "Invoices",
  fields: {
    number: { rules: [{ method: "pattern", pattern: "INV-[0-9]{6}" }] },
    due: { rules: [{ method: "label-value", labels: ["Due"] }] },
    total: { rules: [{ method: "table-cell", column: "Amount", row: "Total" }] },
    buyer: { rules: [{ method: "label-value", labels: ["Buyer"] }] },
    title: { rules: [{ method: "template", template: "{number} of {due}" }] },
  },
};

export const invoiceType = {
  displayName: "Invoice",
  label: "invoice",
  analyzer: "{key}",
  fields: {
    number: { required: true },
    due: { type: "date" },
    total: { type: "money", threshold: 0.95 },
    buyer: { required: true },
    title: { mode: "generate" },
  },
};

export const invoiceText = [
  "Tax invoice INV-004711",
  "Invoice date: 3 May 2026",
  "Due: 2 June 2026",
  "Item\tAmount",
  "Rope\t£30.00",
  "Total\t£30.00",
  "Payment terms: 30 days",
].join("\n");

const types = "/v4/data/documents/document-types";
const analyzers = "/v4/data/documents/analyzers";
const classifiers = "/v4/data/documents/classifiers";
let count = 0;

export async function newAnalyzer(the: TestPlatform): Promise<{ readonly key: string }> {
  count += 1;
  const key = `invoices-${count}`;
  const made = await the.as("tenant-builder").put(`${analyzers}/${key}`, analyzer, of(the));
  expect(made.status, made.text).toBe(200);
  return { key };
}

export async function newType(the: TestPlatform): Promise<{ readonly key: string }> {
  const { key } = await newAnalyzer(the);
  const body = { ...invoiceType, analyzer: key };
  const made = await the.as("tenant-builder").put(`${types}/${key}`, body, of(the));
  expect(made.status, made.text).toBe(200);
  return { key };
}

/** A workspace whose invoices have a classifier, a type and an application to belong to. */
export async function invoiceWorkspace(the: TestPlatform): Promise<{ application: string }> {
  const admin = the.as("tenant-admin");
  const rule = { phrases: ["tax invoice", "invoice date", "payment terms"], minimum: 2 };
  const classifier = {
    displayName: "Papers",
    status: "active",
    labels: [{ key: "invoice", rule }, { key: "letter" }],
  };
  const put = await admin.put(`${classifiers}/papers`, classifier, of(the));
  expect(put.status, put.text).toBe(200);
  const { key } = await newAnalyzer(the);
  const body = { ...invoiceType, analyzer: key };
  expect((await admin.put(`${types}/invoice`, body, of(the))).status).toBe(200);
  const { tenant } = the.workspaces;
  const type = { name: "PlanningApplication", slug: "planning-application", properties: {} };
  const typed = await admin.post("/v4/data/resources/object-types", type, of(the));
  expect([201, 409]).toContain(typed.status);
  const path = `/v4/data/resources/${tenant}/planning-application`;
  const record = await admin.post(path, { data: {} });
  expect(record.status, record.text).toBe(201);
  return { application: String(field(record.json, "id")) };
}

/** Uploads a text and reads its record once its job has ended. */
export async function readDocument(
  the: TestPlatform,
  application: string,
  text: string,
  ending = "txt",
): Promise<Record<string, unknown>> {
  const { tenant } = the.workspaces;
  const form = new FormData();
  form.set("tenant_id", tenant);
  form.set("storage_target", "resourceapi");
  form.set("processing_mode", "full");
  form.set("planning_application_id", application);
  form.set("files", new File([text], `paper-${Bun.randomUUIDv7()}.${ending}`));
  const staff = the.as("tenant-staff");
  const sent = await staff.call("POST", "/v4/data/documents/upload", { rawBody: form });
  expect(sent.status, sent.text).toBe(202);
  const id = String(field(sent.json, "documentId"));
  return eventually(async () => {
    const { json } = await staff.get(`/v4/data/documents/records/${id}`, of(the));
    expect(field(json, "status")).toBe("ready");
    return json as Record<string, unknown>;
  });
}
