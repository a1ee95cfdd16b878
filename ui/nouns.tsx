import type { ComponentType } from "react";
import { alertKeys } from "./alerts/keys.ts";
import { AlertsScreen } from "./alerts/screen.ts";
import { useAlertHome } from "./alerts/use-alert-home.ts";
import { appFailures } from "./apps/failures.ts";
import { appKeys } from "./apps/keys.ts";
import { AppsScreen } from "./apps/screen.tsx";
import { archiveFailures } from "./archives/failures.ts";
import { archiveKeys } from "./archives/keys.ts";
import { ArchivesScreen } from "./archives/screen.ts";
import { chatKeys } from "./chat/keys.ts";
import { ChatScreen } from "./chat/screen.tsx";
import { useQuestionHome } from "./chat/use-question-home.ts";
import { documentFailures } from "./documents/failures.ts";
import { documentKeys } from "./documents/keys.ts";
import { DocumentsScreen } from "./documents/screen.tsx";
import { useDocumentCount } from "./documents/use-documents.ts";
import { useReviewHome } from "./documents/use-review-home.ts";
import { geoFailures } from "./geo/failures.ts";
import { geoKeys } from "./geo/keys.ts";
import { GeoScreen } from "./geo/screen.tsx";
import { jobKeys } from "./jobs/keys.ts";
import { JobsScreen } from "./jobs/screen.tsx";
import { useJobHome } from "./jobs/use-job-home.ts";
import { useMovingJobs } from "./jobs/use-jobs.ts";
import { commonKeys, listKeys } from "./kit/keys/base-keys.ts";
import { keyTableOf, type KeyGroup } from "./kit/keys/keys.ts";
import { tabbedPlace } from "./kit/places/tabbed-place.tsx";
import { countWords } from "./kit/text/words.ts";
import { memberFailures } from "./members/failures.ts";
import { memberKeys } from "./members/keys.ts";
import { MembersScreen } from "./members/screen.ts";
import { useMemberHome } from "./members/use-member-home.ts";
import { useMemberCount } from "./members/use-members.ts";
import { platformFailures } from "./operations/failures.ts";
import { operationKeys } from "./operations/keys.ts";
import { OperationsScreen } from "./operations/screen.tsx";
import { usePlatformHome } from "./operations/use-platform-home.ts";
import { useDueRecords } from "./records/home/use-due-records.ts";
import { useLastWrites } from "./records/home/use-last-writes.ts";
import { useRecordHome } from "./records/home/use-record-home.ts";
import { recordKeys } from "./records/keys.ts";
import { ResourcesScreen } from "./records/screen.tsx";
import { searchKeys } from "./search/keys.ts";
import { SearchScreen } from "./search/screen.tsx";
import { useFinds } from "./search/use-finds.ts";
import { homeScreen, type HomeColumns } from "./shell/home/home-screen.tsx";
import { homeKeys } from "./shell/home/keys.ts";
import { shellKeys } from "./shell/keys.ts";
import { useWorkspaces } from "./shell/platform/use-workspaces.ts";
import type { FailureRule } from "./shell/platform/feed/failure-watch.ts";
import type { ShellParts } from "./shell/parts.ts";
import type { Route } from "./shell/router.ts";
import { signInKeys } from "./sign-in/keys.ts";
import { SignInScreen } from "./sign-in/screen.tsx";
import { webhookFailures } from "./webhooks/failures.ts";
import { webhookKeys } from "./webhooks/keys.ts";
import { WebhooksScreen } from "./webhooks/screen.tsx";
import { Everywhere } from "./workspaces/everywhere.ts";
import { useWorkspaceHome } from "./workspaces/use-workspace-home.ts";
import { workspaceKeys } from "./workspaces/keys.ts";
import { WorkspacesScreen } from "./workspaces/screen.tsx";

interface Noun {
  readonly Screen: ComponentType;
  readonly keys: KeyGroup;
}

function useHome(): HomeColumns {
  const left = [...useRecordHome(), useLastWrites()];
  const right = [
    useJobHome(),
    useReviewHome(),
    useDueRecords(),
    useAlertHome(),
    usePlatformHome(),
    useQuestionHome(),
    useMemberHome(),
    useWorkspaceHome(),
  ];
  return { left, right };
}

const HomeScreen = homeScreen(useHome);
const AllHomes = tabbedPlace("home", { home: HomeScreen, "all workspaces": Everywhere });

/** Home, with a tab for all workspaces where the user has several. */
function Home() {
  const { value } = useWorkspaces();
  return value === undefined || value.length < 2 ? <HomeScreen /> : <AllHomes />;
}

/** The nouns by place, in the order of the help. */
const nouns: Readonly<Record<Route["place"], Noun>> = {
  home: { Screen: Home, keys: homeKeys },
  resources: { Screen: ResourcesScreen, keys: recordKeys },
  documents: { Screen: DocumentsScreen, keys: documentKeys },
  jobs: { Screen: JobsScreen, keys: jobKeys },
  chat: { Screen: ChatScreen, keys: chatKeys },
  members: { Screen: MembersScreen, keys: memberKeys },
  operations: { Screen: OperationsScreen, keys: operationKeys },
  apps: { Screen: AppsScreen, keys: appKeys },
  webhooks: { Screen: WebhooksScreen, keys: webhookKeys },
  alerts: { Screen: AlertsScreen, keys: alertKeys },
  geo: { Screen: GeoScreen, keys: geoKeys },
  archives: { Screen: ArchivesScreen, keys: archiveKeys },
  workspaces: { Screen: WorkspacesScreen, keys: workspaceKeys },
  signIn: { Screen: SignInScreen, keys: signInKeys },
};

/** Every key of the dashboard, in the order of its help. */
export const keyTable = keyTableOf([
  listKeys,
  ...Object.values(nouns).map(({ keys }) => keys),
  searchKeys,
  shellKeys,
  commonKeys,
]);

/** How the failures of the nouns are found; the failed jobs of documents are those of uploads. */
export const failureRules: readonly FailureRule[] = [
  ...webhookFailures,
  ...geoFailures,
  ...appFailures,
  ...memberFailures,
  ...archiveFailures,
  ...documentFailures,
  ...platformFailures,
];

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
export const shellParts: ShellParts = {
  screenOf: ({ place }) => {
    const { Screen } = nouns[place];
    return <Screen />;
  },
  PlaceCounts,
  Search: SearchScreen,
  useFinds,
};
