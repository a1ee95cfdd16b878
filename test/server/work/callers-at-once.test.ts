import { describe, expect, test } from "vitest";
import type { AuditEntry } from "#contract/workspaces/audit.ts";
import { capabilities } from "#contract/access/permissions.ts";
import { eventually } from "#test/support/eventually.ts";
import { storeQuota } from "#test/support/stored-quota.ts";
import {
  caller,
  describePlatform,
  field,
  type Caller,
  type TestPlatform,
} from "#test/support/platform.ts";
import { sized } from "#test/support/size.ts";
import { newMember, newRoot, text } from "../domains/members/world.ts";
import {
  Hand,
  leftOut,
  records,
  writeConfiguration,
  writeDocuments,
  writeMembers,
  writeRecords,
} from "./caller-writes.ts";
import { faultsOfEvents } from "./events-of-writes.ts";
import { allEvents } from "./stored-events.ts";

const workspaceCount = sized(3, 5);
const callersPerWorkspace = sized(8, 12);
/** Callers of each workspace whose records are not all that they write, two for each kind. */
const furtherPerWorkspace = 6;

/** Reads next to the writes: of records by the reading threads, and of lists. */
async function read({ person, workspace }: Hand): Promise<void> {
  for (let count = 0; count < 4; count += 1) {
    const listed = await person.call.get(`${records(workspace, "case")}?limit=5`);
    expect(listed.status, listed.text).toBe(200);
    const titles = (field(listed.json, "items") as { data: { title?: string } }[]).map(
      ({ data }) => data.title ?? "",
    );
    const foreign = titles.filter((title) => !title.startsWith(workspace.slice(-12)));
    expect(foreign).toEqual([]);
  }
}

async function logOf(call: Caller, path: string): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (let cursor = ""; ;) {
    const page = await call.get(`${path}?order=asc&limit=500${cursor}`);
    expect(page.status, page.text).toBe(200);
    entries.push(...(field(page.json, "items") as AuditEntry[]));
    const next = field(page.json, "nextCursor");
    if (typeof next !== "string") return entries;
    cursor = `&cursor=${encodeURIComponent(next)}`;
  }
}

const caseType = {
  name: "Case",
  slug: "case",
  properties: {
    title: { type: "string", searchable: true },
    code: { type: "string", unique: true },
    plan: { type: "file" },
    status: { type: "string" },
  },
  actions: [
    {
      name: "close",
      requires: "tenant-viewer",
      transition: { property: "status", from: ["open"], to: "closed" },
    },
  ],
};

/** A workspace with the shared type, and its callers. */
async function newHands(the: TestPlatform): Promise<Hand[]> {
  const workspace = await newRoot(the);
  const headers = { "x-tenant-id": workspace };
  const admin = the.as("system-admin");
  const made = await admin.post("/v4/data/resources/object-types", caseType, { headers });
  expect(made.status, made.text).toBe(201);
  const keys = { vertical_key: "portal", workflow_key: "planning-assistant" };
  const config = { documentLifecycle: "planning-assist-v1" };
  await admin.post(records(workspace, "vertical-product-config"), { ...keys, config });
  const { workflow_key } = keys;
  await admin.post(records(workspace, "shared-workflow-config"), { workflow_key });
  return Promise.all(
    Array.from({ length: callersPerWorkspace }, async (_, index) => {
      const member = await newMember(the, workspace, { role: "tenant-admin" });
      const person = { ...member, call: caller(the.answer, member.token) };
      return new Hand(person, workspace, `${workspace.slice(-12)}-${index}`);
    }),
  );
}

describePlatform(
  `${workspaceCount * callersPerWorkspace} callers of ${workspaceCount} workspaces at once`,
  (the) => {
    test("leave each write its own entry in the log and its event in the feed of its workspace", async () => {
      const all: Hand[] = [];
      for (let count = 0; count < workspaceCount; count += 1) all.push(...(await newHands(the())));
      // Two callers of each workspace make the further writes of a kind, all at once.
      const further: (() => Promise<void> | void)[] = [];
      for (const [index, hand] of all.entries()) {
        if (index % callersPerWorkspace >= furtherPerWorkspace) {
          further.push(() => {});
          continue;
        }
        const colleague = index % 3 === 0 ? await newMember(the(), hand.workspace) : undefined;
        further.push(() => {
          if (colleague !== undefined) return writeMembers(hand, colleague);
          return index % 3 === 1 ? writeConfiguration(hand) : writeDocuments(hand);
        });
      }
      await Promise.all(
        all.flatMap((hand, index) => [writeRecords(hand).then(further[index]), read(hand)]),
      );
      const writes = all.flatMap((hand) => hand.writes);
      const logs = new Map([["", await logOf(the().as("system-admin"), "/v4/platform/audit")]]);
      for (const hand of all) {
        for (const { log } of hand.writes) {
          if (logs.has(log)) continue;
          logs.set(log, await logOf(hand.person.call, `/v4/platform/tenants/${log}/audit`));
        }
      }
      const found = Map.groupBy(
        [...logs].flatMap(([id, entries]) =>
          entries.filter(({ status }) => status !== 503).map((entry) => ({ id, entry })),
        ),
        ({ entry }) => entry.requestId,
      );
      const faults: unknown[] = [];
      for (const { route, requestId, actor, log, path, target } of writes) {
        const seen = (found.get(requestId) ?? []).map(({ id, entry }) => ({
          id,
          actor: entry.actor,
          action: entry.action,
          path: entry.path,
          outcome: entry.outcome,
          target: subset(entry.changes?.target, target),
        }));
        const wanted = [{ id: log, actor, action: route, path, outcome: "done", target }];
        if (!Bun.deepEquals(seen, wanted)) faults.push({ requestId, seen, wanted });
      }
      expect(faults.slice(0, 5)).toEqual([]);
      expect(faults).toHaveLength(0);
      const events = await allEvents(the().platform.platformWork("the feed of all workspaces"));
      expect(faultsOfEvents(writes, events)).toEqual([]);
    }, 120_000);

    test("get the answer of the key of their caller, though all use the same keys", async () => {
      const hands = [...(await newHands(the())), ...(await newHands(the()))];
      const create = async ({ hand, key }: { hand: Hand; key: number }): Promise<string> => {
        const sent = { body: { title: hand.name }, headers: { "idempotency-key": `same-${key}` } };
        return text(
          await hand.write("resources.create", records(hand.workspace, "case"), sent),
          "id",
        );
      };
      const tries = hands.flatMap((hand) => [0, 1, 2].map((key) => ({ hand, key })));
      const first = await Promise.all(tries.map(create));
      expect(new Set(first).size).toBe(first.length);
      expect(await Promise.all(tries.map(create))).toEqual(first);
    });

    test("are refused only by the quota of the workspace that they write to", async () => {
      const [limited, free] = [await newHands(the()), await newHands(the())];
      const workspace = limited[0]?.workspace ?? "";
      await storeQuota(the(), workspace, { records: 3 });
      const statuses = async (asked: readonly Hand[]): Promise<Set<number>> => {
        const answers = asked.map((hand) => {
          const path = records(hand.workspace, "case");
          return hand.person.call.post(path, { title: hand.name });
        });
        return new Set((await Promise.all(answers)).map(({ status }) => status));
      };
      // The platform reads the quotas again within seconds.
      await eventually(async () => {
        const [refused, accepted] = await Promise.all([statuses(limited), statuses(free)]);
        expect(accepted).toEqual(new Set([201]));
        expect(refused).toEqual(new Set([409]));
      });
    });
  },
  { alsoInThread: true, limits: { rateRequests: 100_000 }, options: { poolSize: 5 } },
);

/** The members of an entry's target that the caller knows. */
function subset(target: unknown, known: object | undefined): object | undefined {
  if (known === undefined) return undefined;
  return Object.fromEntries(Object.keys(known).map((name) => [name, field(target, name)]));
}

describe("the writes of these callers", () => {
  test("are those of every route that writes, but for those with a reason", () => {
    const source = writeRecords.toString() + writeMembers.toString();
    const rest = writeConfiguration.toString() + writeDocuments.toString();
    const missing = capabilities
      .filter(({ definition }) => definition.method !== "GET" && definition.asks !== true)
      .map(({ capability }) => capability)
      .filter((route) => !(source + rest).includes(`"${route}"`) && !(route in leftOut));
    expect(missing).toEqual([]);
  });
});
