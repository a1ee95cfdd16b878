import { expect, test } from "vitest";
import { apiCases } from "#test/support/api-cases.ts";
import { describePlatform } from "#test/support/platform.ts";
import { membersPath, newMember, newRoot } from "../members/world.ts";

const absent = "01900000-0000-7000-8000-00000000dead";
const accountActs = ["disable", "enable", "revoke-tokens"] as const;

describePlatform(
  "an account",
  (the) => {
    const own = "/v4/identity/me";
    const path = (oid: string, act: string): string => `/v4/platform/users/${oid}/${act}`;

    apiCases(
      the,
      accountActs.flatMap((act) => [
        {
          name: `that does not exist: ${act}`,
          as: "system-admin" as const,
          method: "POST",
          path: path(absent, act),
          expect: { status: 404, code: "not-found" as const },
        },
        {
          name: `${act} takes an id`,
          as: "system-admin" as const,
          method: "POST",
          path: path("me", act),
          expect: { status: 422, pointers: ["#/path/oid"] },
        },
        {
          name: `${act} needs the installation's administrator`,
          as: "tenant-admin" as const,
          method: "POST",
          path: path("{tenant-viewer}", act),
          expect: {
            status: 403,
            code: "permission-denied" as const,
            body: { requiredRole: "system-admin" },
          },
        },
      ]),
    );

    test("that is disabled has no valid token at once, and new ones once it is enabled", async () => {
      const root = await newRoot(the());
      const person = await newMember(the(), root, { role: "tenant-admin" });
      const system = the().as("system-admin");
      expect((await person.call.get(own)).status).toBe(200);
      expect((await system.post(`/v4/platform/users/${person.oid}/disable`)).json).toMatchObject({
        status: "disabled",
      });
      expect((await person.call.get(own)).json).toMatchObject({ status: 401 });
      expect((await person.call.get(membersPath(root))).status).toBe(401);
      expect((await system.get(membersPath(root))).json).toMatchObject({
        items: expect.arrayContaining([
          expect.objectContaining({ oid: person.oid, accountDisabled: true }),
        ]),
      });
      // A disabled account is no admin, so the other one is the last.
      expect((await system.post(`${membersPath(root)}/leave`)).status).toBe(409);
      const mint = { email: person.email, ttlMs: 60_000 };
      await expect(the().platform.mintToken(mint)).rejects.toThrow("is disabled");
      await system.post(`/v4/platform/users/${person.oid}/enable`);
      expect((await person.call.get(own)).status).toBe(401);
      const { token } = await the().platform.mintToken(mint);
      const headers = { authorization: `Bearer ${token}` };
      expect((await the().as("nobody").get(own, { headers })).status).toBe(200);
    });

    test("loses minted tokens, and can have new ones", async () => {
      const root = await newRoot(the());
      const person = await newMember(the(), root);
      expect((await person.call.get(own)).status).toBe(200);
      await the().as("system-admin").post(`/v4/platform/users/${person.oid}/revoke-tokens`);
      expect((await person.call.get(own)).status).toBe(401);
      const { token } = await the().platform.mintToken({ email: person.email, ttlMs: 60_000 });
      const headers = { authorization: `Bearer ${token}` };
      expect((await the().as("nobody").get(own, { headers })).status).toBe(200);
    });

    test("ends the own tokens", async () => {
      const root = await newRoot(the());
      const person = await newMember(the(), root);
      const ended = await person.call.post("/v4/identity/me/revoke-tokens");
      expect(ended.json).toMatchObject({ oid: person.oid });
      expect((await person.call.get(own)).status).toBe(401);
    });

    test("of the last system administrator stays enabled", async () => {
      const system = the().as("system-admin");
      const refused = await system.post(path(the().users["system-admin"].oid, "disable"));
      expect(refused.json).toMatchObject({ status: 409, code: "conflict" });
      expect((await system.get(own)).status).toBe(200);
    });
  },
  { alsoInThread: true },
);
