import { parentPort, Worker, workerData } from "node:worker_threads";
import { within } from "#lib/time/within.ts";
import { listen } from "../listen.ts";
import type { Logger } from "../../kit/logger.ts";
import { CreationForwarder } from "./creation-forwarder.ts";
import { Forwarder } from "./request-forwarder.ts";
import type { ThreadStart, ToMain, ToThread } from "./messages.ts";
import { Outbox } from "./outbox.ts";
import { createReadingPlatform } from "./reading-platform.ts";
import { inBackground } from "../../kit/background.ts";

/** Starts a worker thread with this module, as `startSqliteWorker` does. */
export function startReadingThread(start: ThreadStart): Worker {
  const worker = new Worker(new URL(import.meta.url), { workerData: start });
  worker.unref();
  return worker;
}

function isThreadStart(data: unknown): data is ThreadStart {
  return typeof data === "object" && data !== null && "svcReadingThread" in data;
}

async function run(start: ThreadStart, port: NonNullable<typeof parentPort>): Promise<void> {
  const outbox = new Outbox<ToMain>(port);
  const forwarder = new Forwarder(outbox);
  const creations = new CreationForwarder(outbox);
  const log =
    (level: keyof Logger): Logger["error"] =>
    (event) =>
      outbox.post({ kind: "log", level, event });
  const logger = { info: log("info"), warn: log("warn"), error: log("error") };
  const platform = await createReadingPlatform({
    start,
    forwarder,
    creations,
    logger,
    audit: { note: (entry) => outbox.post({ kind: "audit", entry }) },
    onDurations: (counts) => outbox.post({ kind: "durations", counts }),
    onType: (type) => outbox.post({ kind: "type", ...type }),
  });
  const server = await listen({ ...start, sharing: "joins" }, platform, Promise.resolve());
  const stop = async (timeoutMs: number): Promise<void> => {
    platform.drain();
    // Running responses have this time; idle connections are closed at once.
    await within(timeoutMs, server.stop(false), undefined);
    await server.stop(true);
    await platform.close();
    outbox.post({ kind: "stopped" });
  };
  port.on("message", (messages: readonly ToThread[]) => {
    for (const message of messages) {
      if (message.kind === "drain") platform.drain();
      else if (message.kind === "stop")
        inBackground(logger, "thread-stop-failed", () => stop(message.timeoutMs));
      else if (message.kind === "created") creations.receive(message);
      else forwarder.receive(message);
    }
  });
  outbox.post({ kind: "listening", port: server.port ?? 0 });
}

// Other threads only import `startReadingThread`.
if (isThreadStart(workerData) && parentPort !== null) {
  const port = parentPort;
  run(workerData, port).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    port.postMessage([{ kind: "failed", reason } satisfies ToMain]);
  });
}
