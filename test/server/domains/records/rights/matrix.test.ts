import { expect, test } from "vitest";
import { roleIncludes } from "#contract/access/roles.ts";
import {
  describePlatform,
  field,
  type Answered,
  type TestPlatform,
} from "#test/support/platform.ts";
import { domainNames, routeNames } from "#contract/plain/route-table.ts";
import { agentTools } from "#mcp/tools.ts";
import { chatTools } from "./followers.ts";
import {
  doors as recordDoors,
  namingReads as recordReads,
  namingWrites as recordWrites,
  withoutFields,
} from "./doors.ts";
import {
  domainsWithoutFields,
  furtherDoors,
  furtherNamingReads,
  furtherNamingWrites,
} from "./further-doors.ts";
import { furnished, good, rolesOfTest, secretName, type World } from "./world.ts";

/** The body without what differs in each answer, and without the name that the request gave. */
function bodyFor({ text }: Answered, name: string): string {
  return text
    .replaceAll(name, "NAME")
    .replace(/"requestId":"[^"]*"/, "")
    .replace(/"instance":"[^"]*"/, "")
    .replaceAll(/"version":\d+/g, "");
}

function leaks({ secretWord }: World, { text }: Answered): boolean {
  return text.includes(secretWord);
}

const options = { alsoInThread: true };

const everyDoor = { ...recordDoors, ...furtherDoors };
const everyNamingRead = { ...recordReads, ...furtherNamingReads };
const everyNamingWrite = { ...recordWrites, ...furtherNamingWrites };

const known: ReadonlySet<string | undefined> = new Set([
  ...Object.keys(everyDoor).map((name) => /^(?:agents: |chat: )?[\w.]+/.exec(name)?.[0]),
  ...withoutFields,
]);

test("the matrix has each route of the contract, or its domain has no fields of records", () => {
  const names = domainNames.filter((name) => !domainsWithoutFields.includes(name));
  const routes = names.flatMap((domain) => routeNames(domain).map((name) => `${domain}.${name}`));
  expect(routes.filter((name) => !known.has(name))).toEqual([]);
});

test("the matrix has each tool by which an agent reads records", () => {
  const reads = agentTools.filter((tool) => tool.isReadOnly && tool.domain === "resources");
  const tools = reads.map(({ name }) => `agents: ${name}`);
  expect(tools.filter((name) => !known.has(name))).toEqual([]);
});

function matrix(platform: () => TestPlatform, isInThread: boolean): void {
  // A reading thread forwards the requests of all other doors to the platform, which is tested too.
  const doors = isInThread ? recordDoors : everyDoor;
  const namingReads = isInThread ? recordReads : everyNamingRead;
  const namingWrites = isInThread ? recordWrites : everyNamingWrite;

  test("the matrix has each tool that a model may call for an answer", async () => {
    const tools = await chatTools(platform(), "tenant-admin");
    const names = tools.map(({ name }) => `chat: ${name}`);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    expect(names).toContain("chat: search_records");
  });

  test.each(rolesOfTest)("a field that %s reads does not exist for lower roles", async (least) => {
    const the = platform();
    const world = await furnished(the, { readRoles: [least] });
    for (const role of rolesOfTest) {
      const caller = the.as(role);
      for (const [name, door] of Object.entries(doors)) {
        if (!roleIncludes(role, door.role)) continue;
        // Who may change definitions sees their names, not the values.
        const maySee =
          roleIncludes(role, least) || (door.shows === "name" && role === "tenant-builder");
        const answered = await door.call(world, caller, role);
        expect([role, name, leaks(world, answered)]).toEqual([role, name, maySee]);
      }
      if (roleIncludes(role, least)) continue;
      for (const [name, door] of Object.entries(namingReads)) {
        // Reports are made by tenant-staff and above.
        if (name.endsWith("of a report") && role === "tenant-viewer") continue;
        const [hidden, unknown] = [
          await door(world, caller, secretName),
          await door(world, caller, "nosuchfieldx"),
        ];
        expect([role, name, hidden.status]).toEqual([role, name, 422]);
        expect([name, bodyFor(hidden, secretName)]).toEqual([
          name,
          bodyFor(unknown, "nosuchfieldx"),
        ]);
      }
    }
  });

  test.each(rolesOfTest)("a type that %s reads does not exist for lower roles", async (least) => {
    const the = platform();
    const world = await furnished(the, {}, { readRoles: [least] });
    for (const role of rolesOfTest) {
      for (const [name, door] of Object.entries(doors)) {
        if (!roleIncludes(role, door.role)) continue;
        const maySee =
          roleIncludes(role, least) || (door.shows === "name" && role === "tenant-builder");
        const answered = await door.call(world, the.as(role), role);
        expect([role, name, leaks(world, answered)]).toEqual([role, name, maySee]);
      }
    }
  });

  test("a field that one may not read takes no write, and says no more than an unknown name", async () => {
    const the = platform();
    const world = await furnished(the, { readRoles: ["tenant-admin"] });
    for (const role of ["tenant-staff", "tenant-builder"] as const) {
      for (const [name, door] of Object.entries(namingWrites)) {
        const hidden = await door(world, the.as(role), secretName);
        const unknown = await door(world, the.as(role), "nosuchfieldx");
        const isBatch = name.startsWith("batch");
        expect([name, hidden.status]).toEqual([name, isBatch ? 207 : 422]);
        expect([name, bodyFor(hidden, secretName)]).toEqual([
          name,
          bodyFor(unknown, "nosuchfieldx"),
        ]);
      }
    }
    expect(await secretOf(world)).toBe(`a ${world.secretWord}`);
  });

  test.each(rolesOfTest.slice(1))(
    "a field that %s writes is read-only for others",
    async (least) => {
      const the = platform();
      const world = await furnished(the, { writeRoles: [least] });
      for (const role of rolesOfTest.slice(1)) {
        const mayWrite = roleIncludes(role, least);
        for (const [name, door] of Object.entries(namingWrites)) {
          const answered = await door(world, the.as(role), secretName);
          if (mayWrite) {
            // The same value again is a collision or no change; neither is a refusal of rights.
            expect([name, answered.text.includes("permission-denied")]).toEqual([name, false]);
            continue;
          }
          const isBatch = name.startsWith("batch");
          expect([name, answered.status]).toEqual([name, isBatch ? 207 : 403]);
          expect(answered.text).toContain(`/${secretName}"`);
        }
        if (mayWrite) continue;
        // A field that the caller has read and not changed is no write.
        const secret = await secretOf(world);
        const { json } = await the.as(role).get(`${world.path}/${world.id}`);
        const data = { ...Object(field(json, "data")), state: role };
        const version = Number(field(json, "version"));
        good(await the.as(role).put(`${world.path}/${world.id}`, { data, version }));
        const patch = { data: { [secretName]: secret } };
        good(await the.as(role).patch(`${world.path}/${world.id}`, patch));
      }
    },
  );
}

describePlatform("rights of fields", matrix, options);

async function secretOf({ the, path, id }: World): Promise<unknown> {
  const { json } = await the.as("tenant-admin").get(`${path}/${id}`);
  return field(field(json, "data"), secretName);
}
