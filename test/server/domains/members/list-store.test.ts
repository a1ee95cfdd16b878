import { expect, test } from "vitest";
import { describePlatform, field } from "#test/support/platform.ts";
import { invite, membersPath, newMember, newRoot } from "./world.ts";

describePlatform("many members", (the) => {
  test("keep their places while others join and leave", async () => {
    const root = await newRoot(the());
    const admin = the().as("system-admin");
    const people = [];
    for (let count = 0; count < 7; count += 1) people.push(await newMember(the(), root));
    for (const sort of ["email", "-email", "role,-email", "-created_at", "lastName,displayName"]) {
      const seen: string[] = [];
      let query = `limit=3&sort=${sort}`;
      for (let page = 0; page < 20; page += 1) {
        const { json } = await admin.get(`${membersPath(root)}?${query}`);
        const items = field(json, "items") as { email: string }[];
        seen.push(...items.map(({ email }) => email));
        const cursor = field(json, "nextCursor");
        if (typeof cursor !== "string") break;
        // One who joins at the front must not push a member to the next page.
        if (page === 0) await newMember(the(), root);
        query = `limit=3&sort=${sort}&cursor=${encodeURIComponent(cursor)}`;
      }
      expect(new Set(seen).size).toBe(seen.length);
      for (const { email } of people) expect(seen).toContain(email);
    }
  });

  test("have one pending invitation for each address", async () => {
    const root = await newRoot(the());
    await Promise.all(
      Array.from({ length: 5 }, () => invite(the(), root, { email: "same@example.org" })),
    );
    const list = await the().as("system-admin").get(`/v4/platform/tenants/${root}/invitations`);
    expect(field(list.json, "items")).toHaveLength(1);
  });
});
