import { createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { DrillAnswer } from "#test/support/drills/session.ts";
import { eventually } from "#test/support/eventually.ts";
import { DrillSession, drillType, memberOf } from "#test/support/drills/session.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { describeEachDatabase, type TestDatabase } from "#test/support/postgres.ts";
import { sized } from "#test/support/size.ts";
import { oneThread, startPlatform } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

/** Kills (-9) in the middle of changes of members and apps: each is whole or absent afterwards. */
describeEachDatabase("kill -9", ({ engine, create }) => {
  let database: TestDatabase;
  let dataDir: string;
  let platform: RunningPlatform;
  let session: DrillSession;

  const start = async (args: readonly string[] = []): Promise<void> => {
    // Changes are made by one thread only; the others would double the price of each start.
    const places = engine === "sqlite" ? [] : [`--database-url=${database.url}`];
    platform = await startPlatform({ dataDir, args: [oneThread, ...places, ...args] });
  };
  const restart = async (args: readonly string[] = []): Promise<void> => {
    await platform.kill();
    await start(args);
    session = session.at(platform);
  };

  beforeAll(async () => {
    database = await create();
    dataDir = await temporaryDirectory("killed");
    await start();
    session = await DrillSession.create(platform);
    const app = { key: appKey, displayName: "Portal" };
    await session.expect(201, "POST", `${tenant()}/apps`, app);
  }, 300_000);
  afterAll(async () => {
    await platform.kill();
    await database.drop();
  });

  const tenant = () => `/v4/platform/tenants/${session.tenantId}`;
  const idOf = ({ json }: DrillAnswer, name = "id") => String(memberOf(json, name));
  const itemsOf = ({ json }: DrillAnswer) => memberOf(json, "items") as Record<string, unknown>[];
  /** The answer, or undefined where the connection broke. */
  const attempt = (path: string, body: unknown, key: string) =>
    session.call("POST", path, body, { "idempotency-key": key }).catch((): undefined => undefined);
  /** Milliseconds from the requests to the kill. */
  const delays = sized([0, 9, 40, 120], [0, 3, 9, 20, 40, 80, 160]);
  const appKey = "portal";
  const appJobs = () => `${tenant()}/apps/${appKey}/provisioning-jobs`;

  /** Sends the requests of a change, and returns what has to hold after the kill. */
  type Ask = () => () => Promise<void>;

  const madeChild = async (slug: string): Promise<string> =>
    idOf(await session.expect(201, "POST", `${tenant()}/children`, { slug, displayName: slug }));

  /** The provisioning of an app leaves a job that the next start finishes, once. */
  const provisioning = async (round: number): Promise<Ask> => {
    const child = await madeChild(`runtime-${round}`);
    const request = { targetTenantId: child };
    return () => {
      const asked = attempt(appJobs(), request, `job-${round}`);
      return async () => {
        const before = await asked;
        const again = await attempt(appJobs(), request, `job-${round}`);
        expect(again?.status).toBe(202);
        const jobId = idOf(again ?? { status: 0, json: {} }, "jobId");
        if (before?.status === 202) expect(idOf(before, "jobId")).toBe(jobId);
        await expectProvisioned(child, jobId);
      };
    };
  };

  const expectProvisioned = async (child: string, jobId: string): Promise<void> => {
    const job = await eventually(async () => {
      const read = await session.expect(200, "GET", `${appJobs()}/${jobId}`);
      expect(memberOf(read.json, "status")).toBe("ready");
      return read;
    });
    const steps = memberOf(job.json, "steps") as Record<string, unknown>[];
    expect(new Set(steps.map(({ status }) => status))).toEqual(new Set(["succeeded"]));
    // The receipt is true: the workspace has what its steps report.
    await session.expect(200, "POST", `${tenant()}/children/${child}/bootstrap-admin`);
    const own = `/v4/data/resources/${child}/tenant-vertical-enrollment`;
    const bound = itemsOf(await session.within(child).expect(200, "GET", own));
    expect(bound).toMatchObject([{ data: { vertical_key: appKey, status: "active" } }]);
    const enrolled = `/v4/data/resources/${session.tenantId}/tenant-vertical-enrollment`;
    expect(itemsOf(await session.expect(200, "GET", enrolled))).toMatchObject([
      { data: { vertical_key: appKey, status: "active", runtime_tenant_id: child } },
    ]);
  };

  /** A purge is one that the next start finishes, with every row in its receipt. */
  const purge = async (round: number): Promise<Ask> => {
    const records = sized(300, 600);
    const child = await madeChild(`purged-${round}`);
    await session.expect(200, "POST", `${tenant()}/children/${child}/bootstrap-admin`);
    const own = session.within(child);
    await own.expect(201, "POST", "/v4/data/resources/object-types", drillType);
    const items = Array.from({ length: records / 2 }, (_, at) => ({ marker: `m${at}` }));
    await own.expect(200, "POST", "/batch/create", { items });
    await own.expect(200, "POST", "/batch/create", { items });
    const path = `${tenant()}/children/${child}/delete`;
    return () => {
      const asked = session.call("POST", path).catch((): undefined => undefined);
      return async () => {
        const before = await asked;
        const receipt = await session.expect(200, "POST", path);
        expect(receipt.json).toMatchObject({
          childId: child,
          status: "hard_purged",
          removed: { workspaces: 1, members: 1, records, historyEntries: records },
        });
        if (before?.status === 200) expect(before.json).toEqual(receipt.json);
        const gone = await own.at(platform).call("GET", `/v4/platform/tenants/${child}/members`);
        expect(gone.status).toBe(404);
      };
    };
  };

  const pendingInvitations = async (): Promise<string[]> => {
    const list = await session.expect(200, "GET", `${tenant()}/invitations?limit=500`);
    return itemsOf(list).map(({ email }) => String(email));
  };

  /** Each invitation is pending with its secret, or absent. */
  const invitations = (round: number): Promise<Ask> => {
    const emails = Array.from({ length: sized(20, 40) }, (_, at) => `p${round}-${at}@example.org`);
    const invite = (email: string) =>
      attempt(`${tenant()}/members/invite`, { email, role: "tenant-staff" }, `key-${email}`);
    return Promise.resolve(() => {
      const asked = Promise.all(emails.map(invite));
      return async () => {
        const given = await asked;
        const pending = await pendingInvitations();
        for (const [at, email] of emails.entries()) {
          const answer = given[at];
          const found = pending.filter((each) => each === email).length;
          expect({ email, found }).toMatchObject({
            found: expect.toSatisfy((n: number) => n <= 1),
          });
          if (answer?.status === 201) expect({ email, found }).toEqual({ email, found: 1 });
          // The key makes one of both, and its answer carries the secret once at most.
          const again = await invite(email);
          expect(again?.status).toBe(201);
          const isKept = found === 1;
          expect(memberOf(again?.json, "secret") === undefined).toBe(isKept);
        }
        const after = await pendingInvitations();
        expect(after.filter((email) => emails.includes(email)).toSorted()).toEqual(
          emails.toSorted(),
        );
      };
    });
  };

  /** The acceptance of an invitation leaves a member, or a secret that still works. */
  const acceptance = async (round: number): Promise<Ask> => {
    const email = `q${round}@example.org`;
    const body = { email, role: "tenant-staff" };
    const offer = await session.expect(201, "POST", `${tenant()}/members/invite`, body);
    const secret = idOf(offer, "secret");
    // The page of an invitation makes the account and accepts in one step.
    const accept = () => acceptedOnPage(platform.url, secret);
    return () => {
      const asked = accept().catch((): undefined => undefined);
      return async () => {
        const answered = await asked;
        const member = async () =>
          (await session.call("GET", `${tenant()}/users/by-email?email=${email}`)).status;
        const isMember = (await member()) === 200;
        if (answered === true) expect(isMember).toBe(true);
        expect(await accept()).toBe(!isMember);
        expect(await member()).toBe(200);
      };
    };
  };

  // One kill interrupts all of them, since each start of a platform costs most of a second.
  test.each(delays.map((delayMs, round) => ({ delayMs, round })))(
    "leaves provisionings, purges, invitations and acceptances whole or absent after $delayMs ms",
    async ({ round, delayMs }) => {
      const asks: Ask[] = [];
      for (const prepare of [provisioning, purge, acceptance, invitations]) {
        asks.push(await prepare(round));
      }
      const checks = asks.map((ask) => ask());
      await Bun.sleep(delayMs);
      await restart();
      for (const check of checks) await check();
    },
    180_000,
  );

  describe("during invitations", () => {
    test("while a mail is sent tell the inviter that it was not", async () => {
      const sockets = new Set<{ destroy(): void }>();
      const silent = createServer((socket) => {
        sockets.add(socket);
        socket.on("error", () => {});
      });
      await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
      const address = silent.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const mail = [`--smtp-url=smtp://127.0.0.1:${port}?from=svc@example.org`];
      try {
        await restart(mail);
        const email = "mailed@example.org";
        const asked = attempt(`${tenant()}/members/invite`, { email }, "mailed");
        await eventually(() => expect(sockets.size).toBeGreaterThan(0));
        await restart(mail);
        expect(await asked).toBeUndefined();
        const list = await session.expect(200, "GET", `${tenant()}/invitations?limit=1`);
        const delivery = engine === "sqlite" ? "mail-failed" : "mail-pending";
        expect(itemsOf(list)).toMatchObject([{ email, delivery }]);
      } finally {
        for (const socket of sockets) socket.destroy();
        silent.close();
        await restart();
      }
    }, 60_000);
  });
});

/** Accepts an invitation with a new account on its page; false where the secret is not valid. */
async function acceptedOnPage(url: string, secret: string): Promise<boolean> {
  const address = `${url}/auth/invitation?secret=${secret}`;
  const page = await fetch(address);
  if (page.status !== 200) return false;
  const html = await page.text();
  const cookie = (page.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const token = /name="form" value="([^"]+)"/.exec(html)?.[1] ?? "";
  const password = "correct horse battery staple";
  const form = new URLSearchParams({
    form: token,
    action: "create",
    "new-password": password,
    "repeated-password": password,
  });
  const answered = await fetch(address, {
    method: "POST",
    headers: { cookie, origin: url },
    body: form,
    redirect: "manual",
  });
  return answered.status < 400 && !(await answered.text()).includes('role="alert"');
}
