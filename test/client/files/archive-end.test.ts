import { beforeEach, expect, test, vi } from "vitest";
import { endOfPassingArchive } from "#client/files/archive-end.ts";
import type { Client } from "#client/index.ts";
import type { WorkspaceArchive } from "#contract/workspaces/archives.ts";

const archive = (status: string): WorkspaceArchive => ({
  id: "0192f000-0000-7000-8000-000000000001",
  status,
  groups: [],
  percentCompleted: 0,
  createdAt: "2026-11-01T00:00:00Z",
  expiresAt: "2026-11-02T00:00:00Z",
});
const started = archive("running");

const get = vi.fn<Client["archives"]["get"]>();
const remove = vi.fn<Client["archives"]["remove"]>();
const client = { archives: { get, remove } };
const wait = { tenantId: "planning", waitMs: 60_000, onState: () => {} };

beforeEach(() => {
  get.mockReset().mockResolvedValue(archive("succeeded"));
  remove.mockReset().mockResolvedValue();
});

test("an archive without need for its file is followed to its end, and removed", async () => {
  expect((await endOfPassingArchive(client, started, wait)).status).toBe("succeeded");
  const params = { archiveId: started.id };
  expect(get).toHaveBeenCalledWith({ tenantId: "planning", params });
  expect(remove.mock.calls).toMatchObject([[{ tenantId: "planning", params }]]);
});

test("it is removed when the wait is interrupted, by a request that goes on", async () => {
  const aborted = AbortSignal.abort(new Error("interrupted"));
  const interrupted = endOfPassingArchive(client, started, { ...wait, signal: aborted });
  await expect(interrupted).rejects.toThrow("interrupted");
  expect(remove).toHaveBeenCalledOnce();
  expect(remove.mock.calls[0]?.[0].signal?.aborted).toBe(false);
});

test("it is removed when its time is over, and when it cannot be read", async () => {
  expect((await endOfPassingArchive(client, started, { ...wait, waitMs: 0 })).status).toBe(
    "running",
  );
  get.mockRejectedValue(new Error("no connection"));
  await expect(endOfPassingArchive(client, started, wait)).rejects.toThrow("no connection");
  expect(remove).toHaveBeenCalledTimes(2);
});

test("a failed removal fails nothing", async () => {
  remove.mockRejectedValue(new Error("no connection"));
  expect((await endOfPassingArchive(client, started, wait)).status).toBe("succeeded");
});
