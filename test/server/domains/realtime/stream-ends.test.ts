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
  async "the member loses the role"(the, workspaceId) {
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

  /** Opens one by server-sent events and one by WebSocket; resolves with their ends. */
  async function opened({ token, workspaceId }: Ending): Promise<{ ends: Promise<unknown> }> {
    const headers = { authorization: `Bearer ${token}` };
    const url = `http://127.0.0.1:${server.port}/v4/realtime/events?tenant_id=${workspaceId}`;
    const response = await fetch(url, { headers });
    expect(response.status).toBe(200);
    const whole = response.text().catch(String);
    const socket = new WebSocket(url.replace("http", "ws"), { headers });
    const closed = new Promise<number>((resolve) =>
      socket.addEventListener("close", ({ code }) => resolve(code)),
    );
    await new Promise((resolve) => socket.addEventListener("message", resolve, { once: true }));
    return { ends: Promise.all([whole.then((body) => body.endsWith("[DONE]\n\n")), closed]) };
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
    const all = (await Promise.all(open)).map(async ({ reason, ending, ends }) => {
      await ending.end();
      expect(await ends, reason).toEqual([true, 1000]);
    });
    await Promise.all(all);
    expect(hasEnded).toBe(false);
    const kept = caller((request) => the().platform.fetch(request), other.token);
    expect(field((await kept.get("/v4/identity/me")).json, "oid")).toBe(other.oid);
  });
});
