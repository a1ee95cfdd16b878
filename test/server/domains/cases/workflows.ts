import { expect } from "vitest";
import { makeContext } from "#test/support/document-forms.ts";
import type { TestPlatform } from "#test/support/platform.ts";
import { withAppTypes } from "../apps/world.ts";
import type { RouteTable } from "./route-case.ts";

let count = 0;
const contexts = new WeakMap<TestPlatform, Promise<unknown>>();

/** The workflow `planning-assistant`, once for each platform, and a key that is new. */
async function configured(the: TestPlatform) {
  const made =
    contexts.get(the) ?? makeContext(the).then(() => withAppTypes(the, the.workspaces.tenant));
  contexts.set(the, made);
  await made;
  count += 1;
  return { free: `wish-${count}` };
}

const everyMember = {
  nobody: 401,
  "tenant-viewer": 200,
  "tenant-staff": 200,
  "tenant-builder": 200,
  "tenant-admin": 200,
  outsider: 404,
};
const inTenant = "?tenant_id={tenant}";
const wish = { tenant_id: "{tenant}", workflow_key: "{free}", reason: "For letters" };
const question = {
  before: configured,
  foreign: { workflowId: null, stage: null },
  texts: ["workflowId"],
  bad: [
    { name: "no message", body: {}, pointers: ["#/message"] },
    { name: "an empty message", body: { message: " " }, pointers: ["#/message"] },
    {
      name: "an id that is none",
      body: { message: "Where?", conversation_id: "nonsense" },
      pointers: ["#/conversation_id"],
    },
  ],
};
const chat = { workflowId: "planning-assistant", stage: "chat" };

/** Spec 4.5: chat, workflows and places. */
export const workflowCases: RouteTable = {
  "chat.send": {
    ...question,
    good: [
      {
        name: "replies",
        params: chat,
        body: { message: "Where?" },
        answers: { message: { role: "assistant" }, finishReason: "stop" },
      },
    ],
  },
  "chat.stream": {
    ...question,
    good: [{ name: "streams", params: chat, body: { message: "Where?" } }],
  },
  "workflows.status": {
    before: configured,
    foreign: { workflowKey: null },
    as: "tenant-viewer",
    callers: everyMember,
    good: [
      {
        name: "has a reason",
        params: { workflowKey: "planning-assistant" },
        query: inTenant,
        answers: {
          workflow_key: "planning-assistant",
          status: "operator_required",
          reason: expect.stringContaining("not enrolled"),
        },
      },
      {
        name: "of a workflow that is not there",
        params: { workflowKey: "none" },
        query: inTenant,
        answers: { status: "unsupported", reason: expect.stringContaining("no workflow") },
      },
    ],
    bad: [
      { name: "no workspace", query: "", pointers: ["#/query/tenant_id"] },
      { name: "a slug", query: "?tenant_id=tenant", pointers: ["#/query/tenant_id"] },
      {
        name: "a key in capitals",
        params: { workflowKey: "Planning" },
        pointers: ["#/path/workflowKey"],
      },
    ],
  },
  "workflows.request": {
    before: configured,
    as: "tenant-staff",
    callers: {
      nobody: 401,
      "tenant-viewer": 403,
      "tenant-staff": 201,
      "tenant-builder": 201,
      "tenant-admin": 201,
      outsider: 404,
    },
    good: [
      {
        name: "is accepted",
        status: 201,
        body: { ...wish, display_name: "Letters" },
        answers: { workflow_key: "{free}", status: "accepted" },
      },
    ],
    bad: [
      { name: "no workspace", body: { workflow_key: "x" }, pointers: ["#/tenant_id"] },
      { name: "no key", body: { tenant_id: "{tenant}" }, pointers: ["#/workflow_key"] },
      { name: "an empty reason", body: { ...wish, reason: " " }, pointers: ["#/reason"] },
    ],
  },
  "workflows.readiness": {
    before: configured,
    as: "tenant-viewer",
    callers: everyMember,
    good: [
      {
        name: "has each key once",
        query: `${inTenant}&workflow_keys=none,none`,
        answers: { items: [{ workflow_key: "none", ready: false, status: "unsupported" }] },
      },
    ],
    bad: [
      { name: "no workspace", query: "?workflow_keys=a", pointers: ["#/query/tenant_id"] },
      {
        name: "101 keys",
        query: `${inTenant}&workflow_keys=${Array.from({ length: 101 }, (_one, index) => index).join(",")}`,
        pointers: ["#/query/workflow_keys"],
      },
    ],
  },
  "geo.resolveLocation": {
    good: [
      {
        name: "takes coordinates",
        body: { query: "51.5, -0.12" },
        answers: { matches: [{ kind: "coordinates", score: 1 }] },
      },
      {
        name: "takes a geo URI, and measures",
        body: { query: "geo:0,90", near: { type: "Point", coordinates: [0, 0] } },
        answers: { matches: [{ name: "0, 90", distance: 10_007_557 }] },
      },
      {
        name: "takes a point, with the areas around it",
        body: { point: { type: "Point", coordinates: [151.77, -32.93] }, limit: 1 },
        answers: { matches: [{ matchedBy: "point", areas: [{ name: "New South Wales" }, {}] }] },
      },
    ],
    bad: [
      { name: "no query", body: {}, pointers: ["#/query"] },
      {
        name: "a query and a point",
        body: { query: "x", point: { type: "Point", coordinates: [0, 0] } },
        pointers: ["#/query"],
      },
      { name: "no dataset", body: { query: "x", datasets: [] }, pointers: ["#/datasets"] },
      { name: "a query of spaces", body: { query: " " }, pointers: ["#/query"] },
      { name: "a limit of 101", body: { query: "x", limit: 101 }, pointers: ["#/limit"] },
      {
        name: "a point outside the earth",
        body: { query: "x", near: { type: "Point", coordinates: [0, 91] } },
        pointers: ["#/near/coordinates/1"],
      },
    ],
  },
};
