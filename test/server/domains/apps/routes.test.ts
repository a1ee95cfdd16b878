import { expect } from "vitest";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform, field } from "#test/support/platform.ts";
import { absent } from "../workspaces/own-child.ts";
import { newApp, newAppWithChild } from "./world.ts";

const apps = "/v4/platform/tenants/{tenant}/apps";

const portal = { key: "{free}", displayName: "Portal" };
const lowRoles = ["tenant-viewer", "tenant-staff"] as const;

describePlatform("apps", (the) => {
  apiCases(the, [
    {
      name: "without their Object Type are refused with the next step",
      method: "POST",
      path: "/v4/platform/tenants/{child}/apps",
      before: async (platform) => {
        const { tenant, child } = platform.workspaces;
        const bootstrap = `/v4/platform/tenants/${tenant}/children/${child}/bootstrap-admin`;
        await platform.as("tenant-admin").post(bootstrap);
      },
      body: { key: "portal", displayName: "Portal" },
      expect: { status: 409, code: "conflict" },
    },
    {
      name: "are enrolled as records",
      as: "tenant-builder",
      method: "POST",
      path: apps,
      before: newAppWithChild,
      body: {
        ...portal,
        template: "blank-vertical-template",
        source: "test",
        appUrl: "https://portal.example",
        runtimeTenantId: "{runtime}",
      },
      expect: {
        status: 201,
        body: {
          key: "{free}",
          status: "pending",
          appUrl: "https://portal.example",
          runtimeTenantId: "{runtime}",
        },
        headers: { location: /\/tenant-vertical-enrollment\/[\w-]+$/ },
      },
      after: async (platform, { json, headers }) => {
        const record = await platform.as("tenant-viewer").get(headers.get("location") ?? "");
        expect(record.json).toMatchObject({
          id: field(json, "id"),
          data: { vertical_key: field(json, "key"), display_name: "Portal", status: "pending" },
        });
      },
    },
    ...lowRoles.map((as) => ({
      name: `are not enrolled by ${as}`,
      as,
      method: "POST",
      path: apps,
      body: portal,
      expect: { status: 403, code: "permission-denied" as const },
    })),
    {
      name: "are not enrolled without a token",
      as: "nobody",
      method: "POST",
      path: apps,
      body: portal,
      expect: { status: 401, code: "unauthenticated" },
    },
    {
      name: "of a stranger's workspace are 404",
      as: "outsider",
      method: "POST",
      path: apps,
      body: portal,
      expect: { status: 404, code: "not-found" },
    },
    {
      name: "with a key that is taken are refused",
      method: "POST",
      path: apps,
      before: newApp,
      body: { key: "{key}", displayName: "Portal" },
      expect: {
        status: 409,
        code: "already-exists",
        pointers: ["#/key"],
        body: { detail: 'Cannot enroll the app "{key}": this workspace has it already' },
      },
    },
    {
      name: "with wrong members are refused",
      method: "POST",
      path: apps,
      body: { key: "No Key", displayName: " ", appUrl: "javascript:alert(1)", more: 1 },
      expect: {
        status: 422,
        code: "validation-failed",
        pointers: ["#/key", "#/displayName", "#/appUrl", "#/more"],
      },
    },
    {
      name: "of an unknown template are refused",
      method: "POST",
      path: apps,
      body: { key: "x", displayName: "X", template: "nope" },
      expect: { status: 422, pointers: ["#/template"] },
    },
    ...["{other}", absent].map((runtimeTenantId) => ({
      name: `do not run in the workspace ${runtimeTenantId}`,
      method: "POST",
      path: apps,
      body: { key: "x", displayName: "X", runtimeTenantId },
      expect: { status: 422, pointers: ["#/runtimeTenantId"] },
    })),
    {
      name: "are enrolled once for one key of a request",
      method: "POST",
      path: apps,
      before: newApp,
      headers: { "idempotency-key": "one-app" },
      body: portal,
      sentBefore: "as it is",
      expect: { status: 201, headers: { "idempotency-replayed": "true" } },
    },
  ]);
});
