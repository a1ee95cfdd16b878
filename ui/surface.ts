import type { Client, RequestTrace } from "#client/index.ts";
import type { Place } from "./shell/places.ts";
import type { SkinName } from "./kit/theme/theme.ts";
import type { Terminal } from "./terminal.ts";

/** What the command layer hands to the dashboard, as types. */

export interface WorkspaceChoice {
  readonly id: string;
  readonly slug?: string | undefined;
  readonly displayName?: string | undefined;
}

/** Who the dashboard speaks for and to, from local state only: the first frame is drawn from it. */
export interface DashboardSession {
  readonly baseUrl: string;
  readonly profile: string;
  /** The platform runs on this machine, or in this very process. */
  readonly local: boolean;
  /** The platform runs in this very process: no command reaches it, and it ends with the dashboard. */
  readonly inProcess?: boolean | undefined;
  readonly signedIn: boolean;
  /** Name or e-mail address of the user. */
  readonly user?: string | undefined;
  readonly workspace?: WorkspaceChoice | undefined;
  /** App and workflow that documents and chat use unless another is chosen. */
  readonly appKey?: string | undefined;
  readonly workflowKey?: string | undefined;
}

/** What a person must see or do while a sign-in runs. */
export type SignInStep =
  /** The browser was asked to open this address; shown in case it did not. */
  | { readonly kind: "browser"; readonly url: string }
  /** Open the address anywhere and type the code. */
  | { readonly kind: "device"; readonly url: string; readonly code: string }
  /** What goes on, in a few words. */
  | { readonly kind: "progress"; readonly words: string };

export interface SignInRequest {
  readonly signal: AbortSignal;
  readonly onStep: (step: SignInStep) => void;
}

/** What the dashboard can't do itself: it knows neither disk settings nor sign-in. */
export interface DashboardActions {
  /** Signs in to the session's platform and gives the session that then holds. */
  signIn(method: "browser" | "device", request: SignInRequest): Promise<DashboardSession>;
  /** Starts or finds a platform on this machine and signs in to it; absent where that can't be. */
  startLocal?: ((request: SignInRequest) => Promise<DashboardSession>) | undefined;
  /** Gives the platform of this process the sample data; for a session that is `inProcess`. */
  fillSampleData?: (() => Promise<void>) | undefined;
  /** Another platform address, kept in the profile; throws E305 for what is no address. */
  choosePlatform(baseUrl: string): Promise<DashboardSession>;
  /** Keeps the workspace as `svc workspace select` does. */
  chooseWorkspace(workspace: WorkspaceChoice): Promise<void>;
  signOut(): Promise<DashboardSession>;
  /** Keeps the columns of one table in the profile; `undefined` forgets them. */
  keepColumns(place: string, names: readonly string[] | undefined): Promise<void>;
}

export interface ClientRequest {
  /** Each attempt: the header's latency is measured from these. */
  readonly onRequest: (trace: RequestTrace) => void;
  /** The beginning of each, and its end: the header says when an answer is long in coming. */
  readonly onSend: () => () => void;
}

export interface DashboardOptions {
  readonly terminal: Terminal;
  readonly session: DashboardSession;
  /** Makes a client for a session; called after the first frame stands. */
  createClient(session: DashboardSession, request: ClientRequest): Promise<Client>;
  readonly actions: DashboardActions;
  /** Folder that the file browser opens in, and that relative paths start from. */
  readonly currentDirectory: string;
  readonly homeDirectory: string;
  /** What `keepColumns` has kept, as it stands in the profile: not to be trusted. */
  readonly keptColumns?: unknown;
  readonly start?: {
    readonly place?: Place | undefined;
    readonly skin?: SkinName | undefined;
  };
}
