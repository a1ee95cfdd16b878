import { expect } from "vitest";
import { field, type TestPlatform } from "#test/support/platform.ts";
import { newApp, newAppWithChild } from "../apps/world.ts";
import { newApp as newIdpApp, redirectUri } from "../idp-apps/world.ts";
import type { RouteTable } from "./route-case.ts";

/** An app with an accepted job. */
async function withJob(the: TestPlatform) {
  const { key } = await newApp(the);
  const path = `/v4/platform/tenants/${the.workspaces.tenant}/apps/${key}/provisioning-jobs`;
  const made = await the.as("tenant-builder").post(path);
  expect(made.status, made.text).toBe(202);
  return { key, jobId: String(field(made.json, "jobId")) };
}

/** A registration of `tenant`, and one of another workspace. */
async function registered(the: TestPlatform) {
  const own = await newIdpApp(the);
  const foreign = await newIdpApp(the, the.workspaces.other);
  return { clientId: own.clientId, foreignId: foreign.clientId };
}

const app = { key: "{free}", displayName: "Portal" };
const registration = { key: "{free}", displayName: "Portal", redirectUris: [redirectUri] };

/** Spec 4.4: apps, their provisioning, and apps as clients of the provider. */
export const appCases: RouteTable = {
  "apps.create": {
    before: newApp,
    good: [
      {
        name: "enrolls",
        status: 201,
        body: app,
        answers: { key: "{free}", displayName: "Portal", status: "pending" },
      },
    ],
    bad: [
      { name: "a key in capitals", body: { ...app, key: "Portal" }, pointers: ["#/key"] },
      { name: "no name", body: { key: "{free}" }, pointers: ["#/displayName"] },
      { name: "a script", body: { ...app, appUrl: "javascript:1" }, pointers: ["#/appUrl"] },
      { name: "an unknown template", body: { ...app, template: "nope" }, pointers: ["#/template"] },
      {
        name: "a workspace that is no child",
        body: { ...app, runtimeTenantId: "{other}" },
        pointers: ["#/runtimeTenantId"],
      },
    ],
  },
  "apps.provision": {
    before: newAppWithChild,
    good: [
      {
        name: "accepts a job",
        status: 202,
        params: { key: "{key}" },
        body: {},
        answers: { key: "{key}", targetTenantId: "{tenant}" },
      },
    ],
    bad: [
      { name: "no id", body: { targetTenantId: "child" }, pointers: ["#/targetTenantId"] },
      { name: "an unknown member", body: { force: true }, pointers: ["#/force"] },
    ],
  },
  "apps.job": {
    before: withJob,
    foreign: { jobId: "{other}" },
    good: [
      {
        name: "has its steps",
        answers: {
          jobId: "{jobId}",
          key: "{key}",
          steps: expect.arrayContaining([expect.objectContaining({ name: "enrollment" })]),
        },
      },
    ],
    bad: [
      {
        name: "no id of a workspace",
        query: "?targetTenantId=child",
        pointers: ["#/query/targetTenantId"],
      },
    ],
  },
  "idpApps.provision": {
    before: newApp,
    good: [
      {
        name: "registers, and shows the secret",
        body: registration,
        answers: {
          key: "{free}",
          status: "active",
          created: true,
          clientSecret: expect.any(String),
        },
      },
    ],
    bad: [
      { name: "no app", body: { displayName: "Portal" }, pointers: ["#/key"] },
      {
        name: "an address without TLS",
        body: { ...registration, redirectUris: ["http://portal.example/back"] },
        pointers: ["#/redirectUris/0"],
      },
      {
        name: "no addresses",
        body: { ...registration, redirectUris: [] },
        pointers: ["#/redirectUris"],
      },
    ],
  },
  "idpApps.rotateSecret": {
    before: registered,
    texts: ["clientId"],
    good: [
      {
        name: "shows a new secret",
        answers: {
          clientId: "{clientId}",
          rotationPending: true,
          clientSecret: expect.any(String),
        },
      },
    ],
    bad: [{ name: "an unknown name", query: "?force=1", pointers: ["#/query/force"] }],
  },
  "idpApps.remove": {
    before: registered,
    texts: ["clientId"],
    good: [
      { name: "deletes", answers: { clientId: "{clientId}", status: "deleted" } },
      {
        name: "keeps the registration",
        query: "?keepRegistration=true",
        answers: { clientId: "{clientId}", status: "deauthorized" },
      },
    ],
    bad: [
      {
        name: "a word for a flag",
        query: "?keepRegistration=perhaps",
        pointers: ["#/query/keepRegistration"],
      },
    ],
  },
};
