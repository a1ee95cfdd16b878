import { useEffect, useMemo } from "react";
import { Conversations, conversationsPart } from "./chat/conversations.ts";
import { unsentQuestion } from "./chat/use-question-field.ts";
import { SentUploads } from "./documents/uploads/sent-uploads.ts";
import { watchFailedJobs } from "./jobs/failed-jobs.ts";
import { Mouse, mousePart } from "./kit/mouse/mouse.ts";
import { picturesPart, TerminalPictures } from "./kit/picture/terminal-pictures.ts";
import { charsetOf } from "./kit/theme/charset.ts";
import { colourDepthOf } from "./kit/theme/theme.ts";
import { KeyTable } from "./kit/keys/key-bindings.ts";
import { keyTableOf } from "./kit/keys/keys.ts";
import { KeyHub } from "./kit/keys/key-hub.ts";
import { hubPart, KeyInput } from "./kit/keys/use-keys.ts";
import { PaneFocus, paneFocusPart } from "./kit/panes/use-panes.ts";
import { DashboardContext } from "./kit/state/part.ts";
import { Store } from "./kit/state/store.ts";
import { Memory, memoryPart } from "./kit/state/use-remembered.ts";
import { Unsaved, unsavedPart } from "./kit/state/use-unsaved.ts";
import { workEnded } from "./kit/state/work.ts";
import { readTheme } from "./kit/theme/theme-file.ts";
import { defaultSkin, skinNames, themeSkin } from "./kit/theme/theme.ts";
import { LookProvider, skinsPart } from "./kit/theme/use-look.tsx";
import type { RoleColours } from "./kit/theme/palettes.ts";
import { failureRules, keyTable, shellParts } from "./nouns.tsx";
import { ColumnChoices, columnsPart } from "./records/list/use-chosen-columns.ts";
import { SpokenTerminal } from "./spoken-terminal.ts";
import { spokenPart } from "./kit/spoken/spoken.ts";
import { openScreen, screenPart, type Screen } from "./screen.tsx";
import { Forms, formsPart } from "./shell/forms/forms.ts";
import { hostPart } from "./shell/host.ts";
import { ChangeLog, changeLogPart } from "./records/undo/change-log.ts";
import { UndoKeys } from "./records/undo/use-undo.ts";
import { openReferenceNames, referenceNamesPart } from "./records/reference-names.ts";
import { News, newsPart } from "./shell/platform/feed/news.ts";
import { memberNamesPart, openMemberNames } from "./shell/platform/member-names.ts";
import { isKeptKey, isKeptView } from "./shell/kept/kept-state.ts";
import { Keeper, keptRoute } from "./shell/kept/keeper.ts";
import { Notices, noticesPart } from "./shell/notices.ts";
import { Overlays, overlaysPart } from "./shell/overlays/overlays.ts";
import { Platform, platformPart } from "./shell/platform/use-platform.ts";
import { Shell } from "./shell/shell.tsx";
import { Clipboard, clipboardPart, CommandLines, commandLinesPart } from "./shell/use-copy.ts";
import { FailureWatch } from "./shell/platform/feed/failure-watch.ts";
import { PlaceFailures, placeFailuresPart } from "./shell/platform/feed/place-failures.ts";
import { placeShellPart } from "./kit/places/action.ts";
import { Subject, subjectPart } from "./kit/places/subject.ts";
import { placeShellOf } from "./shell/place-shell.ts";
import { OwnKeys, ownKeysOf } from "./shell/profile/own-keys.tsx";
import { settingsPart } from "./shell/profile/settings-part.ts";
import { readProfileSettings } from "./shell/profile/profile-settings.ts";
import { Router, routerPart, type Route } from "./shell/router.ts";
import { knowsProgress, progressPart, TerminalProgress } from "./shell/terminal/progress.ts";
import { followUploads } from "./shell/terminal/upload-progress.ts";
import { uploadsPart } from "./shell/use-uploads.ts";
import type { DashboardOptions } from "./surface.ts";
import { terminalRefusal } from "./terminal.ts";

function startRoute(options: DashboardOptions): Route {
  const { session, start } = options;
  if (!session.signedIn) return { place: "signIn" };
  if (session.workspace === undefined) return { place: "workspaces" };
  return start?.place === undefined
    ? (session.kept?.route ?? { place: "home" })
    : { place: start.place };
}

/** Puts the uploads, and finds the failures of places; returns the functions that end it. */
function putUploads(
  dashboard: object,
  parts: Omit<Parameters<typeof watchFailedJobs>[0], "failures"> &
    Pick<DashboardOptions, "terminal"> & {
      readonly router: Router;
      readonly role: KeyHub["role"];
    },
): readonly (() => void)[] {
  const failures = placeFailuresPart.put(dashboard, new PlaceFailures());
  const { platform, notices, role, router, uploads, terminal, send } = parts;
  const watch = new FailureWatch({ platform, failures, notices, role, rules: failureRules });
  const see = () => failures.see(router.route().place);
  see();
  const isShown = knowsProgress(terminal);
  const progress = new TerminalProgress(isShown ? send : () => {});
  progressPart.put(dashboard, progress);
  uploadsPart.put(dashboard, uploads);
  return [
    followUploads(uploads.list, progress),
    watchFailedJobs({ ...parts, failures }),
    watch.start(),
    router.trail.subscribe(see),
  ];
}

/** The names of members and records, and the changes of records. */
function putRecords(dashboard: object, platform: Platform): void {
  changeLogPart.put(dashboard, new ChangeLog(platform));
  memberNamesPart.put(dashboard, openMemberNames(platform));
  referenceNamesPart.put(dashboard, openReferenceNames(platform));
}

/** Puts the keys, those of the profile too, and the way in which the dashboard is read. */
function putKeys(
  dashboard: object,
  { profileSettings = {}, terminal }: DashboardOptions,
  parts: {
    readonly spoken: SpokenTerminal | undefined;
    readonly notices: Notices;
    readonly screen: Screen;
  },
): KeyHub {
  const { spoken, notices, screen } = parts;
  const { settings, faults } = readProfileSettings(profileSettings);
  for (const words of faults) notices.say("failed", `The profile's ${words}; it is not used`);
  settingsPart.put(dashboard, settings);
  subjectPart.put(dashboard, new Subject());
  const table = [...keyTable, ...keyTableOf([ownKeysOf(settings)])];
  const hub = hubPart.put(dashboard, new KeyHub(new KeyTable(table)));
  const mouse = new Mouse(hub, (isOn) => screen.watchMouse(isOn ? mouse.take : undefined));
  mousePart.put(dashboard, mouse);
  if (settings.mouse) mouse.turn(true);
  const depth = colourDepthOf(terminal);
  const pictures = new TerminalPictures(screen, {
    setting: spoken === undefined && settings.pictures,
    env: terminal.env,
    hasPlaceholders: charsetOf(terminal) === "unicode" && depth !== "none" && depth !== "16",
  });
  picturesPart.put(dashboard, pictures);
  spoken?.follow(hub);
  spokenPart.put(dashboard, { isSpoken: spoken !== undefined });
  return hub;
}

/** The skins of the program and those of theme files; returns the name of the chosen one. */
function putSkins(
  dashboard: object,
  { terminal, start, themes: files = [] }: DashboardOptions,
  { screen, notices }: { readonly screen: Screen; readonly notices: Notices },
): Store<string> {
  const themes = new Map<string, RoleColours>();
  for (const { name, content } of files) {
    const theme = readTheme(content);
    if (typeof theme !== "string") themes.set(themeSkin(name), theme);
    else notices.say("failed", `The theme ${name} is not used: ${theme}`);
  }
  const wanted = terminal.env["SVC_SKIN"] ?? "";
  const known = [...skinNames, ...themes.keys()];
  const chosen = known.find((name) => name === wanted || name === themeSkin(wanted));
  if (wanted !== "" && chosen === undefined) {
    notices.say("failed", `SVC_SKIN is ${wanted}, which is not a skin: ${known.join(", ")}`);
  }
  const name = new Store<string>(chosen ?? start?.skin ?? defaultSkin);
  skinsPart.put(dashboard, { name, themes, ground: screen.ground });
  return name;
}

/** The parts of one dashboard, and a function that starts them after the first frame. */
function openParts(options: DashboardOptions, screen: Screen, spoken?: SpokenTerminal) {
  const dashboard = {};
  const { actions } = options;
  const notices = noticesPart.put(dashboard, new Notices());
  const skin = putSkins(dashboard, options, { screen, notices });
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
  const copying = new Clipboard(screen, { notices, platform, lines });
  const clipboard = clipboardPart.put(dashboard, copying);
  placeShellPart.put(
    dashboard,
    placeShellOf({ router, clipboard, lines, platform, overlays, notices }),
  );
  putRecords(dashboard, platform);
  const news = newsPart.put(dashboard, new News(platform));
  screenPart.put(dashboard, screen);
  hostPart.put(dashboard, options);
  memoryPart.put(dashboard, memory);
  const { role } = putKeys(dashboard, options, { spoken, notices, screen });
  formsPart.put(dashboard, new Forms(notices.clear));
  columnsPart.put(dashboard, new ColumnChoices(options, notices));

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
  const sending = { ...options, platform, notices, router, uploads, role };
  const ends = [
    ...putUploads(dashboard, { ...sending, send: screen.send }),
    platform.state.subscribe(enterSession),
    router.trail.subscribe(() => focus.enter(router.route())),
    router.trail.subscribe(keepRoute),
    platform.state.subscribe(keepRoute),
    skin.subscribe(keepSkin),
    news.start(),
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

interface DashboardProps {
  readonly options: DashboardOptions;
  readonly screen: Screen;
  readonly spoken: SpokenTerminal | undefined;
}

function Dashboard(props: DashboardProps) {
  const { options, screen, spoken } = props;
  const { dashboard, notices, begin } = useMemo(
    () => openParts(options, screen, spoken),
    [options, screen, spoken],
  );
  useEffect(begin, [begin]);
  return (
    <DashboardContext value={dashboard}>
      <LookProvider environment={options.terminal}>
        <Shell parts={shellParts} />
        <UndoKeys />
        <OwnKeys />
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
  const { isSpoken = false } = options;
  const refusal = terminalRefusal(isSpoken ? { ...options.terminal, isSpoken } : options.terminal);
  const spoken =
    isSpoken && refusal === undefined ? new SpokenTerminal(options.terminal) : undefined;
  const terminal = spoken?.terminal ?? options.terminal;
  const shown = { ...options, terminal };
  if (refusal === undefined) {
    try {
      return await openScreen(
        terminal,
        (screen) => <Dashboard options={shown} screen={screen} spoken={spoken} />,
        options.asked,
      );
    } finally {
      spoken?.end();
      await workEnded();
    }
  }
  terminal.stderr.write(`${refusal}\nEvery command works without the dashboard: svc --help\n`);
  return refusedExitCode;
}
