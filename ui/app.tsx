import type { ReactNode } from "react";
import { ActionsProvider } from "./shell/platform/use-actions.tsx";
import { ChatProvider } from "./chat/use-chat.tsx";
import { EnvironmentProvider } from "./kit/state/use-environment.tsx";
import { FoldersProvider } from "./kit/files/use-folders.tsx";
import { FormsProvider } from "./shell/forms/use-forms.tsx";
import { ChosenColumnsProvider } from "./records/list/use-chosen-columns.tsx";
import { RememberedProvider } from "./kit/state/use-remembered.tsx";
import { KeyProvider } from "./kit/keys/use-keys.tsx";
import { NoticesProvider, useNotices } from "./shell/use-notices.tsx";
import { OverlayProvider } from "./shell/overlays/use-overlays.tsx";
import { PlatformProvider } from "./shell/platform/use-platform.tsx";
import { RouterProvider } from "./shell/use-router.tsx";
import { SkinProvider } from "./kit/theme/use-theme.tsx";
import { UploadsProvider } from "./documents/uploads/uploads-provider.tsx";
import type { Route } from "./shell/router.ts";
import { openScreen } from "./screen.tsx";
import { Shell } from "./shell/shell.tsx";
import type { DashboardOptions } from "./surface.ts";
import { terminalRefusal } from "./terminal.ts";
import { skinNamed } from "./kit/theme/theme.ts";
import { workEnded } from "./kit/state/work.ts";

/** What is shown first: a sign-in, a workspace to choose, or the place that was asked for. */
function startRoute(options: DashboardOptions): Route {
  const { session, start } = options;
  if (!session.signedIn) return { place: "signIn" };
  if (session.workspace === undefined) return { place: "workspaces" };
  return { place: start?.place ?? "resources" };
}

/** Keys with the reason for a refusal shown as a message. */
function KeysWithReasons(props: { readonly children: ReactNode }) {
  const { say } = useNotices();
  return <KeyProvider onRefused={(words) => say("note", words)}>{props.children}</KeyProvider>;
}

/** The whole dashboard as a tree; `openDashboard` draws it on a terminal, tests on a fake one. */
function Dashboard(props: { readonly options: DashboardOptions }) {
  const { options } = props;
  const { terminal, actions } = options;
  const skin = options.start?.skin ?? skinNamed(terminal.env["SVC_SKIN"]);
  return (
    <SkinProvider start={skin}>
      <EnvironmentProvider terminal={terminal}>
        <FoldersProvider folders={options}>
          <ActionsProvider actions={actions}>
            <RememberedProvider>
              <NoticesProvider>
                <KeysWithReasons>
                  <OverlayProvider>
                    <RouterProvider start={startRoute(options)}>
                      <PlatformProvider options={options}>
                        <ChosenColumnsProvider start={options.keptColumns}>
                          <UploadsProvider>
                            <ChatProvider>
                              <FormsProvider>
                                <Shell />
                              </FormsProvider>
                            </ChatProvider>
                          </UploadsProvider>
                        </ChosenColumnsProvider>
                      </PlatformProvider>
                    </RouterProvider>
                  </OverlayProvider>
                </KeysWithReasons>
              </NoticesProvider>
            </RememberedProvider>
          </ActionsProvider>
        </FoldersProvider>
      </EnvironmentProvider>
    </SkinProvider>
  );
}

const refusedExitCode = 2;

/**
 * Opens the dashboard on the whole terminal. Resolves with the exit code (128 + number after a
 * signal) once the terminal has been given back; rejects with what nobody foresaw, so that the
 * caller says it in the catalog's words. A terminal that can't show it gets words and exit code 2.
 */
export async function openDashboard(options: DashboardOptions): Promise<number> {
  const { terminal } = options;
  const refusal = terminalRefusal(terminal);
  if (refusal === undefined) {
    try {
      return await openScreen(terminal, <Dashboard options={options} />);
    } finally {
      await workEnded();
    }
  }
  terminal.stderr.write(`${refusal}\nEvery command works without one: svc --help\n`);
  return refusedExitCode;
}
