import { connect } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { problem } from "#contract/problems.ts";
import { serve, type ServeOptions } from "#server/serve.ts";
import { refusedUploads, sendRefused, uploadClients } from "#test/support/drills/refusals.ts";
import { DrillSession } from "#test/support/drills/session.ts";
import { describeNeeding } from "#test/support/needs.ts";
import type { RunningPlatform } from "#test/support/platform-process.ts";
import { oneThread, startPlatform, svcExecutable } from "#test/support/svc.ts";
import { temporaryDirectory } from "#test/support/temporary.ts";

let platform: RunningPlatform;
let session: DrillSession;
beforeAll(async () => {
  await svcExecutable();
  platform = await startPlatform({ args: [oneThread] });
  session = await DrillSession.create(platform);
}, 300_000);

const programs = { fetch: undefined, curl: "curl", "http.client": "python3" };

for (const name of ["fetch", "curl", "http.client"] as const) {
  const client = uploadClients[name];
  const program = programs[name];
  const missing =
    program === undefined || Bun.which(program) !== null ? undefined : `needs ${program}`;
  describeNeeding(`${name} reads the problem of each refused upload`, missing, () => {
    test.each([100_000, 5_000_000])("of %i bytes", async (size) => {
      const uploads = refusedUploads(session);
      const directory = await temporaryDirectory("refused");
      const rounds = uploads.length * 3;
      const options = { url: platform.url, size, rounds, directory };
      const count = await sendRefused(client, uploads, options);
      expect(count).toEqual({ read: rounds, failures: {} });
    });
  });
}

describe("a client that sends its whole body reads the problem", () => {
  test.each([
    ["of a busy platform", { limits: { runningRequests: 0 } }, 503],
    ["of a caller that asks too often", { limits: { rateRequests: 0 } }, 429],
  ] as const)("%s", async (_name, options, status) => {
    const served = await start(options);
    try {
      const { token } = await served.platform.mintToken({ ttlMs: 60_000 });
      const response = await fetch(`${served.url}/v4/data/documents/upload`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "multipart/form-data; boundary=x",
        },
        body: new Uint8Array(5_000_000),
      });
      expect(problem.parse(await response.json())).toMatchObject({ status });
    } finally {
      await served.stop();
    }
  });
});

describe("the rest of a refused upload is read", () => {
  test("up to 8 MiB, then the connection is closed", async () => {
    const served = await start();
    try {
      const { answer, sent } = await sendEndlessly(served.url, 1 << 30);
      // A reset may overtake the answer here, because this client never stops sending.
      expect(answer).toMatch(/^(HTTP\/1\.1 401 [^]*\r\nconnection: close\r\n|$)/i);
      expect(sent).toBeGreaterThan(8 << 20);
      // Sockets and the runtime have buffers, too.
      expect(sent).toBeLessThan(64 << 20);
    } finally {
      await served.stop();
    }
  });

  test("for 2 s from a client that stops sending, then the connection is closed", async () => {
    const served = await start();
    try {
      const { answer } = await sendEndlessly(served.url, 100_000);
      expect(answer).toMatch(/^HTTP\/1\.1 401 /);
      expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    } finally {
      await served.stop();
    }
  });

  test("to its end, which leaves the connection open", async () => {
    const served = await start();
    try {
      const { port, hostname } = new URL(served.url);
      const socket = connect(Number(port), hostname);
      let answer = "";
      socket.on("data", (data) => (answer += data.toString()));
      const head = `POST /v4/data/documents/upload HTTP/1.1\r\nhost: ${hostname}\r\n`;
      const both = 2;
      for (let round = 1; round <= both; round += 1) {
        socket.write(`${head}content-length: 1000000\r\n\r\n`);
        socket.write("x".repeat(1_000_000));
        await expect.poll(() => answer.match(/HTTP\/1\.1 401 /g)?.length).toBe(round);
      }
      socket.destroy();
      expect(answer).not.toMatch(/\r\nconnection: close\r\n/i);
    } finally {
      await served.stop();
    }
  });
});

async function start(options: Partial<ServeOptions> = {}) {
  return serve({
    host: "127.0.0.1",
    port: 0,
    dataDirectory: join(await temporaryDirectory("refused"), "data"),
    extractionCommand: [],
    log: () => {},
    ...options,
  });
}

/** Sends at most `limit` bytes of a body of 1 TiB; resolves when the connection is closed. */
async function sendEndlessly(url: string, limit: number) {
  const { port, hostname } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = "";
  let sent = 0;
  let isClosed = false;
  const block = Buffer.alloc(100_000, "x");
  socket.on("data", (data) => (answer += data.toString()));
  // The platform closes while this side still sends.
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) =>
    socket.on("close", () => {
      isClosed = true;
      resolve();
    }),
  );
  socket.write(`POST /v4/data/documents/upload HTTP/1.1\r\nhost: ${hostname}\r\n`);
  socket.write(
    `content-type: multipart/form-data; boundary=x\r\ncontent-length: ${2 ** 40}\r\n\r\n`,
  );
  while (sent < limit && !isClosed) {
    sent += block.length;
    if (socket.write(block)) continue;
    await Promise.race([closed, new Promise((resolve) => socket.once("drain", resolve))]);
  }
  await closed;
  return { answer, sent };
}
