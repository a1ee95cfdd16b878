/**
 * The dashboard as a separate program, for tests in a pseudo-terminal: the real screen, the real
 * client, a platform's answers from memory. `FAKE` has the wishes of the test as JSON.
 */
import { appendFileSync } from "node:fs";
import { createClient, type Client } from "#client/index.ts";
import { openDashboard } from "#ui/app.tsx";
import type { DashboardSession } from "#ui/surface.ts";
import type { Terminal } from "#ui/terminal.ts";
import { allTexts, hostile, poisonedResponse, shownTexts } from "../../support/hostile-text.ts";
import { createFakePlatform, planningId } from "./fake-platform.ts";
import type { Wish } from "./open-fake.ts";

const wish = JSON.parse(process.env["FAKE"] ?? "{}") as Wish;
const fake = createFakePlatform(wish.count, wish);
const { poison } = wish;
const platform =
  poison === undefined
    ? fake
    : {
        ...fake,
        fetch: async (request: Request) =>
          await poisonedResponse(
            await fake.fetch(request),
            poison === "shown" ? shownTexts : allTexts,
          ),
      };
platform.state.down = wish.down ?? false;
platform.state.role = wish.role ?? "tenant-admin";
platform.state.signedOut = wish.expired ?? false;
platform.state.pauseMs = wish.pauseMs ?? 1;
platform.state.jobStatus = wish.jobStatus ?? "running";
platform.state.changedMeanwhile = wish.changedMeanwhile ?? false;
platform.state.listMs = wish.listMs ?? 0;
platform.state.truncated = wish.truncated ?? false;
platform.state.propertyless = wish.propertyless ?? false;
platform.state.refusedUploads = wish.refusedUploads ?? 0;
platform.state.stuck = wish.stuck ?? false;
platform.state.batchMs = wish.batchMs ?? 0;
if (wish.hostile === true && platform.records[0] !== undefined) {
  platform.records[0].data["address"] =
    "\x1b]0;owned\x07\x1b[2J\x1b[31mred\x1b[0m\x9b31m\u202egnp.exe 👨‍👩‍👧\r\nnew line\x1b]52;c;cm0=\x07";
}

if (wish.address !== undefined && platform.records[1] !== undefined) {
  platform.records[1].data["address"] = wish.address;
}

const failureListeners = new Set<(failure: unknown) => void>();
const onFailure = (failure: unknown) => {
  for (const listener of failureListeners) listener(failure);
};
process.on("uncaughtException", onFailure);
process.on("unhandledRejection", onFailure);

const terminal: Terminal = {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  platform: process.platform,
  onSignal: (signal, handler) => {
    process.on(signal, handler);
    return () => process.off(signal, handler);
  },
  onFailure: (handler) => {
    failureListeners.add(handler);
    return () => failureListeners.delete(handler);
  },
  onExit: (handler) => {
    process.on("exit", handler);
    return () => process.off("exit", handler);
  },
  lend: () => {},
  stop: () => void process.kill(process.pid, "SIGSTOP"),
  measure: () => process.kill(process.pid, "SIGWINCH"),
  exit: (code) => process.exit(code),
};

const signedIn: DashboardSession = {
  baseUrl: "http://platform.test",
  profile: "default",
  local: true,
  signedIn: true,
  command: {
    program: ["svc"],
    variables: { BASE_URL_PUBLIC_API: "http://platform.test" },
    options: { profile: "default" },
  },
  user: "ada@northwind.example",
  ...(wish.workspace === false ? {} : { workspace: { id: planningId, slug: "planning" } }),
};

const lost = { id: "01936f00-0000-7000-8000-0000000000ff", slug: "old-desk" };
const keptSession: DashboardSession = {
  ...signedIn,
  workspace: lost,
  kept: { workspace: lost, route: { place: "documents" }, views: new Map() },
};

/** An answer that no screen expects: drawing the records of this type throws. */
function faultyClient(): Client {
  const client = createClient({ baseUrl: signedIn.baseUrl, token: "token", fetch: platform.fetch });
  const property: unknown = null;
  const fault = {
    id: "1",
    name: "Fault",
    slug: "fault",
    properties: { "secret details of a fault": property as { type: string } },
  };
  const schema = () => Promise.resolve({ objectTypes: [fault] });
  const objectTypes = {
    ...client.objectTypes,
    schema: Object.assign(schema, { raw: client.objectTypes.schema.raw }),
  };
  return { ...client, objectTypes };
}

const session: DashboardSession =
  wish.signedIn === false
    ? { ...signedIn, user: undefined, workspace: undefined, signedIn: false }
    : wish.lostWorkspace === true
      ? keptSession
      : signedIn;

if (wish.crash === "timer") {
  setTimeout(() => {
    throw new Error("secret details of a crash");
  }, 300);
}
if (wish.crash === "rejection") {
  setTimeout(() => void Promise.reject(new Error("secret details of a crash")), 300);
}

const startsAmongTypes = wish.home === undefined && wish.lostWorkspace !== true;

void openDashboard({
  terminal,
  isSpoken: wish.isSpoken ?? false,
  ...(startsAmongTypes ? { start: { place: "resources" as const } } : {}),
  session,
  createClient: (_session, { onRequest, onSend, keptAnswers }) =>
    Promise.resolve(
      wish.crash === "screen"
        ? faultyClient()
        : createClient({
            baseUrl: signedIn.baseUrl,
            token: "token",
            fetch: platform.fetch,
            retry: false,
            onRequest,
            onSend,
            keptAnswers,
          }),
    ),
  actions: {
    signIn: async (method, { onStep, signal }) => {
      if (method === "device") {
        // The provider has chosen both texts.
        const end = poison === undefined ? "" : hostile;
        const code = { url: `https://sign.in/device${end}`, code: `WDJB-MJHT${end}` };
        onStep({ kind: "device", ...code, endsAtMs: Date.now() + 600_000 });
      } else onStep({ kind: "browser", url: "https://sign.in/authorize?client_id=svc" });
      await Bun.sleep(300);
      signal.throwIfAborted();
      return signedIn;
    },
    startLocal: ({ onStep }) => {
      onStep({ kind: "progress", words: "starting" });
      platform.state.down = false;
      return Promise.resolve(signedIn);
    },
    choosePlatform: (baseUrl) => Promise.resolve({ ...session, baseUrl }),
    keep: () => Promise.resolve(),
    makeDefault: () => Promise.resolve(),
    signOut: () => Promise.resolve(session),
    storeColumns: (place, names) => {
      if (wish.keepTo !== undefined)
        appendFileSync(wish.keepTo, `${JSON.stringify([place, names])}\n`);
      return Promise.resolve();
    },
  },
  storedColumns: wish.storedColumns,
  currentDirectory: process.cwd(),
  homeDirectory: process.env["HOME"] ?? "/",
}).then(
  // The real program does the same: what is left running would keep it from its end.
  (code) => {
    process.exitCode = code;
  },
  () => {
    process.stderr.write("svc: the dashboard stopped\n");
    process.exit(1);
  },
);
