import { appendFileSync } from "node:fs";
import { resolve } from "node:path";
import { createClient, type Client } from "#client/index.ts";
import { archiveFiles } from "#commands/kit/archives/dashboard-archives.ts";
import { openDashboard } from "#ui/app.tsx";
import type { DashboardActions, DashboardSession } from "#ui/surface.ts";
import type { Terminal } from "#ui/terminal.ts";
import {
  allTexts,
  hostile,
  hostileFor,
  poisonedResponse,
  shownTexts,
} from "../../support/hostile-text.ts";
import { createFakePlatform, planningId, type FakePlatform } from "./fake-platform.ts";
import type { Wish } from "./open-fake.ts";

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
};

/**
 * Opens the real dashboard with the real client and a platform's answers from memory. Resolves
 * with the exit code once the terminal is restored.
 */
export async function openFakeDashboard(wish: Wish, terminal: Terminal): Promise<number> {
  const platform = wishedPlatform(wish);
  const session = wishedSession(wish);
  const { home, lostWorkspace, opens } = wish;
  const startsAmongTypes = home === undefined && lostWorkspace !== true && opens === undefined;
  return openDashboard({
    terminal,
    isSpoken: wish.isSpoken ?? false,
    ...(startsAmongTypes ? { start: { place: "resources" as const } } : {}),
    session,
    createClient: (_session, { onRequest, onSend, keptAnswers }) =>
      Promise.resolve(
        wish.crash === "screen"
          ? faultyClient(platform)
          : createClient({
              baseUrl: signedIn.baseUrl,
              token: "token",
              fetch: platform.fetch,
              retry: false,
              onRequest,
              onSend,
              keptAnswers,
              readOnly: wish.readOnly,
            }),
      ),
    actions: wishedActions(wish, { platform, session }),
    openArchives: () =>
      Promise.resolve(archiveFiles({ resolvePath: (path) => resolve(process.cwd(), path) })),
    storedColumns: wish.storedColumns,
    profileSettings: wish.profileSettings,
    currentDirectory: process.cwd(),
    homeDirectory: terminal.env["HOME"] ?? "/",
  });
}

function wishedPlatform(wish: Wish): FakePlatform {
  const fake = createFakePlatform(wish.count, wish);
  const { poison } = wish;
  const platform =
    poison === undefined
      ? fake
      : {
          ...fake,
          fetch: async (request: Request) =>
            await poisonedResponse(await fake.fetch(request), {
              ...(poison === "shown" ? shownTexts : allTexts),
              text: hostileFor,
            }),
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
  return platform;
}

function wishedSession(wish: Wish): DashboardSession {
  if (wish.signedIn === false) {
    return { ...signedIn, user: undefined, workspace: undefined, signedIn: false };
  }
  const planning = { id: planningId, slug: "planning" };
  const usual = {
    ...signedIn,
    readOnly: wish.readOnly,
    ...(wish.workspace === false ? {} : { workspace: planning }),
  };
  if (wish.opens !== undefined) {
    const route = { place: "resources", objectType: wish.opens } as const;
    return { ...usual, kept: { workspace: planning, route, views: new Map() } };
  }
  if (wish.lostWorkspace !== true) return usual;
  const lost = { id: "01936f00-0000-7000-8000-0000000000ff", slug: "old-desk" };
  return {
    ...usual,
    workspace: lost,
    kept: { workspace: lost, route: { place: "documents" }, views: new Map() },
  };
}

function wishedActions(
  wish: Wish,
  { platform, session }: { platform: FakePlatform; session: DashboardSession },
): DashboardActions {
  return {
    signIn: async (method, { onStep, signal }) => {
      if (method === "device") {
        // The provider has chosen both texts.
        const end = wish.poison === undefined ? "" : hostile;
        const code = { url: `https://sign.in/device${end}`, code: `WDJB-MJHT${end}` };
        onStep({ kind: "device", ...code, endsAtMs: Date.now() + 600_000 });
      } else onStep({ kind: "browser", url: "https://sign.in/authorize?client_id=svc" });
      await Bun.sleep(300);
      signal.throwIfAborted();
      return wishedSession({ ...wish, signedIn: true, lostWorkspace: false });
    },
    startLocal: ({ onStep }) => {
      onStep({ kind: "progress", words: "starting" });
      platform.state.down = false;
      return Promise.resolve(wishedSession({ ...wish, signedIn: true, lostWorkspace: false }));
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
  };
}

/** An answer that no screen expects: drawing the records of this type throws. */
function faultyClient(platform: FakePlatform): Client {
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
