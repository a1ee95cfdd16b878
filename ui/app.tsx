import { useEffect, useMemo } from "react";
import { Conversations, conversationsPart } from "./chat/use-chat.ts";
import { unsentQuestion } from "./chat/use-question-field.ts";
import { SentUploads } from "./documents/uploads/sent-uploads.ts";
import { KeyTable } from "./kit/keys/key-bindings.ts";
import { KeyHub } from "./kit/keys/key-hub.ts";
import { hubPart, KeyInput } from "./kit/keys/use-keys.ts";
import { PaneFocus, paneFocusPart } from "./kit/panes/use-panes.ts";
import { DashboardContext } from "./kit/state/part.ts";
import { Store } from "./kit/state/store.ts";
import { Memory, memoryPart } from "./kit/state/use-remembered.ts";
import { Unsaved, unsavedPart } from "./kit/state/use-unsaved.ts";
import { workEnded } from "./kit/state/work.ts";
import { LookProvider, skinPart } from "./kit/theme/use-look.tsx";
import { skinNamed } from "./kit/theme/theme.ts";
import { keyTable, shellParts } from "./nouns.tsx";
import { ColumnChoices, columnsPart } from "./records/list/use-chosen-columns.ts";
import { openScreen, screenPart, type Screen } from "./screen.tsx";
import { Forms, formsPart } from "./shell/forms/forms.ts";
import { hostPart } from "./shell/host.ts";
import { openReferenceNames, referenceNamesPart } from "./records/reference-names.ts";
import { memberNamesPart, openMemberNames } from "./shell/platform/member-names.ts";
import { isKeptKey, isKeptView } from "./shell/kept/kept-state.ts";
import { Keeper, keptRoute } from "./shell/kept/keeper.ts";
import { Notices, noticesPart } from "./shell/notices.ts";
import { Overlays, overlaysPart } from "./shell/overlays/overlays.ts";
import { Platform, platformPart } from "./shell/platform/use-platform.ts";
import { Shell } from "./shell/shell.tsx";
import { Clipboard, clipboardPart, CommandLines, commandLinesPart } from "./shell/use-copy.ts";
import { placeShellPart } from "./kit/places/action.ts";
import { placeShellOf } from "./shell/place-shell.ts";
import { Router, routerPart, type Route } from "./shell/router.ts";
import { uploadsPart } from "./shell/use-uploads.ts";
import type { DashboardOptions } from "./surface.ts";
import { terminalRefusal } from "./terminal.ts";

function startRoute(options: DashboardOptions): Route {
  const { session, start } = options;
  if (!session.signedIn) return { place: "signIn" };
  if (session.workspace === undefined) return { place: "workspaces" };
  return start?.place === undefined
    ? (session.kept?.route ?? { place: "resources" })
    : { place: start.place };
}

function putNames(dashboard: object, platform: Platform): void {
  memberNamesPart.put(dashboard, openMemberNames(platform));
  referenceNamesPart.put(dashboard, openReferenceNames(platform));
}

/** The parts of one dashboard, and a function that starts them after the first frame. */
function openParts(options: DashboardOptions, screen: Screen) {
  const dashboard = {};
  const { terminal, start, actions } = options;
  const wanted = terminal.env["SVC_SKIN"] ?? "";
  const skin = new Store(wanted === "" ? (start?.skin ?? skinNamed(undefined)) : skinNamed(wanted));
  const notices = noticesPart.put(dashboard, new Notices());
  const overlays = overlaysPart.put(dashboard, new Overlays(notices.clear));
  const router = routerPart.put(dashboard, new Router(startRoute(options)));
  const platform = platformPart.put(dashboard, new Platform(options));
  const keeper = new Keeper(actions.keep, notices.sayFailure);
  const memory = new Memory(isKeptKey, (key, value) => {
    const { baseUrl } = platform.state.get().session;
    if (isKeptView(key, value)) keeper.keep(baseUrl, { views: new Map([[key, value]]) });
  });
  unsavedPart.put(dashboard, new Unsaved()).add(() => unsentQuestion(memory));
  const focus = paneFocusPart.put(dashboard, new PaneFocus());
  const conversations = conversationsPart.put(dashboard, new Conversations(platform));
  const uploads = new SentUploads({ platform, notices, overlays, router });
  const lines = commandLinesPart.put(dashboard, new CommandLines(platform));
  const clipboard = clipboardPart.put(
    dashboard,
    new Clipboard(screen, { notices, platform, lines }),
  );
  placeShellPart.put(
    dashboard,
    placeShellOf({ router, clipboard, lines, platform, overlays, notices }),
  );
  putNames(dashboard, platform);
  skinPart.put(dashboard, skin);
  screenPart.put(dashboard, screen);
  hostPart.put(dashboard, options);
  memoryPart.put(dashboard, memory);
  hubPart.put(dashboard, new KeyHub(new KeyTable(keyTable)));
  formsPart.put(dashboard, new Forms(notices.clear));
  columnsPart.put(dashboard, new ColumnChoices(options, notices));
  uploadsPart.put(dashboard, uploads);

  // The state of another owner is known before its screens are drawn.
  const enterSession = () => {
    const { session: now, tenantId } = platform.state.get();
    memory.start(now.kept?.views ?? new Map());
    memory.owner.set(tenantId ?? "");
  };
  const keepRoute = () => {
    const { baseUrl, workspace } = platform.state.get().session;
    const route = keptRoute(router.route());
    if (workspace !== undefined && route !== undefined) keeper.keep(baseUrl, { workspace, route });
  };
  const keepSkin = () => keeper.keep(platform.state.get().session.baseUrl, { skin: skin.get() });
  enterSession();
  focus.enter(router.route());
  const ends = [
    platform.state.subscribe(enterSession),
    router.trail.subscribe(() => focus.enter(router.route())),
    router.trail.subscribe(keepRoute),
    platform.state.subscribe(keepRoute),
    skin.subscribe(keepSkin),
  ];
  const begin = () => {
    keepRoute();
    const end = platform.start(screen.watchInput);
    return () => {
      for (const each of [...ends, end]) each();
      conversations.end();
      uploads.end();
      keeper.flush();
    };
  };
  return { dashboard, notices, begin };
}

function Dashboard(props: { readonly options: DashboardOptions; readonly screen: Screen }) {
  const { options, screen } = props;
  const { dashboard, notices, begin } = useMemo(
    () => openParts(options, screen),
    [options, screen],
  );
  useEffect(begin, [begin]);
  return (
    <DashboardContext value={dashboard}>
      <LookProvider environment={options.terminal}>
        <Shell parts={shellParts} />
        <KeyInput onRefused={(words) => notices.say("note", words)} />
      </LookProvider>
    </DashboardContext>
  );
}

const refusedExitCode = 2;

/**
 * Opens the dashboard on the whole terminal. Resolves with the exit code (128 + number after a
 * signal) once the terminal is restored; rejects with unexpected failures. A terminal that can't
 * show the dashboard gets a message and exit code 2.
 */
export async function openDashboard(options: DashboardOptions): Promise<number> {
  const { terminal } = options;
  const refusal = terminalRefusal(terminal);
  if (refusal === undefined) {
    try {
      return await openScreen(terminal, (screen) => (
        <Dashboard options={options} screen={screen} />
      ));
    } finally {
      await workEnded();
    }
  }
  terminal.stderr.write(`${refusal}\nEvery command works without the dashboard: svc --help\n`);
  return refusedExitCode;
}
