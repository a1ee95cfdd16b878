import type { ReactElement, ReactNode } from "react";
import { AppsScreen } from "./apps/screen.tsx";
import { ChatScreen } from "./chat/screen.tsx";
import { DocumentsScreen } from "./documents/screen.tsx";
import { useDocumentCount } from "./documents/use-documents.ts";
import { JobsScreen } from "./jobs/screen.tsx";
import { useMovingJobs } from "./jobs/use-jobs.ts";
import { MembersScreen } from "./members/screen.tsx";
import { useMemberCount } from "./members/use-members.ts";
import { OperationsScreen } from "./operations/screen.tsx";
import { ResourcesScreen } from "./records/screen.tsx";
import { SearchScreen } from "./search/screen.tsx";
import { SignInScreen } from "./sign-in/screen.tsx";
import { WorkspacesScreen } from "./workspaces/screen.tsx";
import type { ShellParts } from "./shell/parts.ts";
import { countWords } from "./kit/text/words.ts";
import { HostActionsContext } from "./shell/platform/use-host-actions.ts";
import { ChatProvider } from "./chat/use-chat.tsx";
import { EnvironmentContext } from "./kit/state/use-environment.tsx";
import { FoldersProvider } from "./kit/files/use-folders.tsx";
import { FormsProvider } from "./shell/forms/use-forms.tsx";
import { ChosenColumnsProvider } from "./records/list/use-chosen-columns.tsx";
import { KeepingProvider } from "./shell/kept/use-keeping.tsx";
import { UnsavedProvider } from "./kit/state/use-unsaved.tsx";
import { KeyProvider } from "./kit/keys/use-keys.tsx";
import { NoticesProvider, useNotices } from "./shell/use-notices.tsx";
import { OverlayProvider } from "./shell/overlays/use-overlays.tsx";
import { PlatformProvider } from "./shell/platform/use-platform.tsx";
import { RouterProvider } from "./shell/use-router.tsx";
import { SkinProvider } from "./kit/theme/use-theme.tsx";
import { useSentUploads } from "./documents/uploads/use-sent-uploads.ts";
import { UploadsContext } from "./shell/use-uploads.ts";
import type { Route } from "./shell/router.ts";
import { openScreen } from "./screen.tsx";
import { Shell } from "./shell/shell.tsx";
import type { DashboardOptions } from "./surface.ts";
import { terminalRefusal } from "./terminal.ts";
import { skinNamed } from "./kit/theme/theme.ts";
import { workEnded } from "./kit/state/work.ts";

function startRoute(options: DashboardOptions): Route {
  const { session, start } = options;
  if (!session.signedIn) return { place: "signIn" };
  if (session.workspace === undefined) return { place: "workspaces" };
  return start?.place === undefined
    ? (session.kept?.route ?? { place: "resources" })
    : { place: start.place };
}

function KeysWithReasons(props: { readonly children: ReactNode }) {
  const { say } = useNotices();
  return <KeyProvider onRefused={(words) => say("note", words)}>{props.children}</KeyProvider>;
}

function UploadsProvider(props: { readonly children: ReactNode }) {
  return <UploadsContext value={useSentUploads()}>{props.children}</UploadsContext>;
}

function screenOf(route: Route): ReactElement {
  switch (route.place) {
    case "signIn":
      return <SignInScreen />;
    case "workspaces":
      return <WorkspacesScreen />;
    case "resources":
      return <ResourcesScreen />;
    case "documents":
      return <DocumentsScreen />;
    case "jobs":
      return <JobsScreen />;
    case "chat":
      return <ChatScreen />;
    case "members":
      return <MembersScreen />;
    case "operations":
      return <OperationsScreen />;
    case "apps":
      return <AppsScreen />;
  }
}

const PlaceCounts: ShellParts["PlaceCounts"] = ({ children }) => {
  const documents = useDocumentCount();
  const members = useMemberCount();
  const jobs = useMovingJobs();
  const count = (value: number | undefined) => (value === undefined ? "" : countWords(value));
  return children({
    documents: count(documents),
    members: count(members),
    jobs: jobs > 0 ? `${jobs} ▶` : "",
  });
};

/** The nouns, which the shell shows and which do not import each other. */
const parts: ShellParts = { screenOf, PlaceCounts, Search: SearchScreen };

function Dashboard(props: { readonly options: DashboardOptions }) {
  const { options } = props;
  const { terminal, actions } = options;
  const wanted = terminal.env["SVC_SKIN"] ?? "";
  const skin = wanted === "" ? (options.start?.skin ?? skinNamed(undefined)) : skinNamed(wanted);
  return (
    <SkinProvider start={skin}>
      <EnvironmentContext value={terminal}>
        <FoldersProvider folders={options}>
          <HostActionsContext value={actions}>
            <NoticesProvider>
              <KeysWithReasons>
                <OverlayProvider>
                  <RouterProvider start={startRoute(options)}>
                    <PlatformProvider options={options}>
                      <KeepingProvider>
                        <UnsavedProvider>
                          <ChosenColumnsProvider start={options.storedColumns}>
                            <UploadsProvider>
                              <ChatProvider>
                                <FormsProvider>
                                  <Shell parts={parts} />
                                </FormsProvider>
                              </ChatProvider>
                            </UploadsProvider>
                          </ChosenColumnsProvider>
                        </UnsavedProvider>
                      </KeepingProvider>
                    </PlatformProvider>
                  </RouterProvider>
                </OverlayProvider>
              </KeysWithReasons>
            </NoticesProvider>
          </HostActionsContext>
        </FoldersProvider>
      </EnvironmentContext>
    </SkinProvider>
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
      return await openScreen(terminal, <Dashboard options={options} />);
    } finally {
      await workEnded();
    }
  }
  terminal.stderr.write(`${refusal}\nEvery command works without the dashboard: svc --help\n`);
  return refusedExitCode;
}
