import { afterAll, beforeAll, expect, test } from "vitest";
import { listen, type PlatformServer } from "#server/platform/listen.ts";
import {
  caller,
  describePlatform,
  field,
  type Caller,
  type TestPlatform,
} from "#test/support/platform.ts";
import { membersPath, newMember, newRoot, text } from "../members/world.ts";

/** A reader, and what ends its right to read the workspace. */
interface Ending {
  readonly token: string;
  readonly workspaceId: string;
  end(): Promise<unknown>;
}

const good = async (pending: ReturnType<Caller["get"]>): Promise<void> => {
  const { status, text: body } = await pending;
  expect(status, body).toBe(200);
};

/** The member may read the workspace with the lower role too. */
const lowered = "the member loses the role";

const endings: Readonly<Record<string, (the: TestPlatform, id: string) => Promise<Ending>>> = {
  async "the key is revoked"(the, workspaceId) {
    const admin = the.as("system-admin");
    const path = `/v4/platform/tenants/${workspaceId}/keys`;
    const made = await admin.post(path, { name: "reader", role: "tenant-viewer" });
    expect(made).toMatchObject({ status: 201 });
    const end = () =>
      good(admin.delete(`${path}/${String(field(field(made.json, "key"), "keyId"))}`));
    return { token: text(made, "token"), workspaceId, end };
  },
  async "the session ends"(the, workspaceId) {
    const { call, token } = await newMember(the, workspaceId);
    return { token, workspaceId, end: () => good(call.post("/v4/identity/me/revoke-tokens")) };
  },
  async "the member is removed"(the, workspaceId) {
    const { token, memberId } = await newMember(the, workspaceId);
    const path = `${membersPath(workspaceId)}/${memberId}`;
    return { token, workspaceId, end: () => good(the.as("system-admin").delete(path)) };
  },
  async [lowered](the, workspaceId) {
    const { token, memberId } = await newMember(the, workspaceId, { role: "tenant-builder" });
    const path = `${membersPath(workspaceId)}/${memberId}/roles`;
    const role = { role: "tenant-staff" };
    return { token, workspaceId, end: () => good(the.as("system-admin").patch(path, role)) };
  },
  async "the token is used up"(the, workspaceId) {
    const { email } = await newMember(the, workspaceId);
    const { token } = await the.platform.mintToken({ email, ttlMs: 60_000 });
    return { token, workspaceId, end: async () => the.advance(61_000) };
  },
  async "the workspace is deleted"(the) {
    const workspaceId = await newRoot(the);
    const { token } = await newMember(the, workspaceId);
    const path = `/v4/platform/tenants/${workspaceId}/delete`;
    return { token, workspaceId, end: () => good(the.as("system-admin").post(path)) };
  },
  async "the workspace is purged"(the) {
    const workspaceId = await newRoot(the);
    const { token } = await newMember(the, workspaceId);
    const path = `/v4/platform/tenants/${workspaceId}/delete`;
    const purge = { hardPurge: true };
    return { token, workspaceId, end: () => good(the.as("system-admin").post(path, purge)) };
  },
};

describePlatform("a stream over HTTP", (the) => {
  let server: PlatformServer;
  beforeAll(async () => {
    server = await listen({ host: "127.0.0.1", port: 0 }, the().platform, Promise.resolve());
  });
  afterAll(() => server.stop(true));

  /**
   * Opens one by server-sent events, one by WebSocket and one with a negotiated token; resolves
   * with their ends. `again` opens another one with that token.
   */
  async function opened({ token, workspaceId }: Ending) {
    const headers = { authorization: `Bearer ${token}` };
    const base = `http://127.0.0.1:${server.port}`;
    const url = `${base}/v4/realtime/events?tenant_id=${workspaceId}`;
    const call = caller((request) => the().platform.fetch(request), token);
    const inWorkspace = { headers: { "x-tenant-id": workspaceId } };
    const granted = await call.post("/v4/realtime/negotiate", {}, inWorkspace);
    const negotiated = new URL(text(granted, "url"));
    const again = () => fetch(`${base}${negotiated.pathname}${negotiated.search}`);
    const streams = await Promise.all([fetch(url, { headers }), again()]);
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    const wholes = streams.map((each) => each.text().catch(String));
    const socket = new WebSocket(url.replace("http", "ws"), { headers });
    const closed = new Promise<number>((resolve) =>
      socket.addEventListener("close", ({ code }) => resolve(code)),
    );
    await new Promise((resolve) => socket.addEventListener("message", resolve, { once: true }));
    const areWhole = wholes.map(async (body) => (await body).endsWith("[DONE]\n\n"));
    return { ends: Promise.all([...areWhole, closed]), again };
  }

  test("ends when the right to it ends, whatever ended it, and others stay open", async () => {
    const workspaceId = await newRoot(the());
    const other = await newMember(the(), workspaceId);
    const stays = await opened({ token: other.token, workspaceId, end: async () => {} });
    let hasEnded = false;
    void stays.ends.then(() => (hasEnded = true));
    const open = Object.entries(endings).map(async ([reason, make]) => {
      const ending = await make(the(), workspaceId);
      return { reason, ending, ...(await opened(ending)) };
    });
    const all = (await Promise.all(open)).map(async ({ reason, ending, ends, again }) => {
      await ending.end();
      expect(await ends, reason).toEqual([true, true, 1000]);
      const { status } = await again();
      if (reason === lowered) expect(status).toBe(200);
      else expect([401, 404], reason).toContain(status);
    });
    await Promise.all(all);
    expect(hasEnded).toBe(false);
    const kept = caller((request) => the().platform.fetch(request), other.token);
    expect(field((await kept.get("/v4/identity/me")).json, "oid")).toBe(other.oid);
  });
});
