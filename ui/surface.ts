import type { Client, JsonObject, ObjectType, RequestTrace } from "#client/index.ts";
import type { Role } from "#contract/access/roles.ts";
import type { ArchiveManifest } from "#contract/workspaces/archives.ts";
import type { KeptChange, KeptPlatform } from "./shell/kept/kept-state.ts";
import type { Place } from "./shell/places.ts";
import type { CommandTarget } from "./kit/text/command-line.ts";
import type { BackgroundQuestion, Terminal } from "./terminal.ts";

/** Types of everything that the command layer gives to the dashboard. */

export interface WorkspaceChoice {
  readonly id: string;
  readonly slug?: string | undefined;
  readonly displayName?: string | undefined;
}

/**
 * The user, platform and workspace, from local state only, so that the first frame needs no
 * request.
 */
export interface DashboardSession {
  readonly baseUrl: string;
  readonly profile: string;
  /** The platform runs on this machine. */
  readonly local: boolean;
  /** The platform runs in this process and ends with the dashboard. */
  readonly inProcess?: boolean | undefined;
  /** How commands in another shell reach the platform with this sign-in. */
  readonly command: CommandTarget;
  /** A variable that such a shell must set first, e.g. `SVC_TOKEN`. */
  readonly commandNeeds?: string | undefined;
  readonly signedIn: boolean;
  readonly user?: string | undefined;
  readonly workspace?: WorkspaceChoice | undefined;
  /** The workspace of commands that name none, if it is on this platform. */
  readonly defaultWorkspaceId?: string | undefined;
  /** The profile has that workspace, so that a command in another shell need not name it. */
  readonly knowsDefault?: boolean | undefined;
  /** The state of this platform from an earlier start. */
  readonly kept?: KeptPlatform | undefined;
  /** Why nothing may be changed: the profile is read-only. */
  readonly readOnly?: string | undefined;
  /** Default app and workflow of documents and chat. */
  readonly appKey?: string | undefined;
  readonly workflowKey?: string | undefined;
}

/** A step of a sign-in that the user must see or do. */
export type SignInStep =
  /** The browser was started with this address; shown in case it did not open. */
  | { readonly kind: "browser"; readonly url: string }
  /** Open the address anywhere and type the code. */
  | {
      readonly kind: "device";
      readonly url: string;
      readonly code: string;
      /** The time at which the code is no longer taken. */
      readonly endsAtMs?: number | undefined;
    }
  | { readonly kind: "progress"; readonly words: string };

export interface SignInRequest {
  readonly signal: AbortSignal;
  readonly onStep: (step: SignInStep) => void;
}

/** Actions of the command layer: the dashboard has no access to settings and sign-in. */
export interface DashboardActions {
  /** Signs in to the session's platform and returns the new session. */
  signIn(method: "browser" | "device", request: SignInRequest): Promise<DashboardSession>;
  /**
   * Starts or finds a platform on this machine and signs in to it; absent where that is impossible.
   */
  startLocal?: ((request: SignInRequest) => Promise<DashboardSession>) | undefined;
  /** Fills the sample data into the platform of a session that is `inProcess`. */
  fillSampleData?: (() => Promise<void>) | undefined;
  /** Opens another platform, and leaves the profile's own; throws E305 for an invalid address. */
  choosePlatform(baseUrl: string): Promise<DashboardSession>;
  /** Keeps the dashboard's own state at a platform for the next start. */
  keep(baseUrl: string, change: KeptChange): Promise<void>;
  /** Makes it the workspace of commands that name none, as `svc workspace select` does. */
  makeDefault(baseUrl: string, workspace: WorkspaceChoice): Promise<void>;
  signOut(): Promise<DashboardSession>;
  /** Stores the columns of one table in the profile; `undefined` removes them. */
  storeColumns(place: string, names: readonly string[] | undefined): Promise<void>;
}

/** A theme as its file has it; `readTheme` validates it. */
export interface ThemeFile {
  readonly name: string;
  readonly content: unknown;
}

export interface ClientRequest {
  /** Called after each attempt; the header's latency comes from these. */
  readonly onRequest: (trace: RequestTrace) => void;
  /** Called at the start of each attempt; the returned function at its end. */
  readonly onSend: () => () => void;
  /** Answers that the client keeps, so that a refresh of unchanged rows sends none again. */
  readonly keptAnswers: number;
}

/** How the rows of a file are read. */
export interface ImportSettings {
  /** The property of each column; `null` leaves the column out. */
  readonly columns: Readonly<Record<string, string | null>>;
  /** A unique property: a row changes the record with its value. */
  readonly key?: string | undefined;
  /** The form of dates, e.g. `DD.MM.YYYY`. */
  readonly date?: string | undefined;
  /** The form of numbers, as an example, e.g. `1.234,56`. */
  readonly number?: string | undefined;
}

/** A row of a file, and what the platform would do with it. */
export interface PreviewedRow {
  readonly row: number;
  readonly outcome: "create" | "update" | "rejected";
  readonly reasons: readonly string[];
  readonly data: JsonObject;
}

export interface ImportOutcome {
  readonly created: number;
  readonly updated: number;
  /** Rows that an interrupted import of this file has written. */
  readonly earlier: number;
  readonly rejected: number;
  /** The first reasons, each with its row and column. */
  readonly reasons: readonly string[];
}

/** A file of records whose header was found. */
export interface OpenedImport {
  readonly name: string;
  /** The format, and the row of the header. */
  readonly words: string;
  /** The columns with the property of their name, if there is one; none in JSON. */
  readonly columns: readonly { readonly name: string; readonly property: string | null }[];
  /** The first rows with the platform's own checks; writes nothing. */
  preview(settings: ImportSettings, signal: AbortSignal): Promise<readonly PreviewedRow[]>;
  /** Writes all rows; the same call continues an import that was interrupted. */
  run(
    settings: ImportSettings,
    sent: (rows: number) => void,
    signal: AbortSignal,
  ): Promise<ImportOutcome>;
}

export interface ImportRequest {
  /** The client of the open workspace. */
  readonly client: Client;
  readonly type: ObjectType;
  readonly path: string;
  readonly signal: AbortSignal;
}

/** An active member of an archive, whom an import may invite. */
export interface ArchivedMember {
  readonly email: string;
  readonly role: Role;
}

/** The file of an archive of a workspace, whose bytes match its digests. */
export interface OpenedArchive {
  readonly manifest: ArchiveManifest;
  readonly size: number;
  readonly isEncrypted: boolean;
  /** The bytes of the archive, decrypted. */
  stream(): Promise<ReadableStream<Uint8Array>>;
  /** The members, at most 1,000. */
  members(): Promise<readonly ArchivedMember[]>;
}

/** One side of a comparison: an archive, or the one that a workspace made for it. */
export interface ComparedSide {
  readonly manifest: ArchiveManifest;
  readonly isWorkspace: boolean;
}

/** A part of two sides, and the numbers of its lines there. */
export interface ComparedPart {
  readonly name: string;
  readonly outcome: "equal" | "different" | "missing" | "not compared";
  readonly one: number | null;
  readonly other: number | null;
}

/** Archives of workspaces as files of this machine. */
export interface ArchiveFiles {
  /** Reads the whole file; throws E305 for a damaged one and for a wrong passphrase. */
  open(
    path: string,
    passphraseFile: string | undefined,
    signal: AbortSignal,
  ): Promise<OpenedArchive>;
  /** Encrypts bytes with the passphrase in a file, in the format of age. */
  encrypted(
    chunks: AsyncIterable<Uint8Array>,
    passphraseFile: string,
  ): Promise<AsyncIterable<Uint8Array>>;
  compared(one: ComparedSide, other: ComparedSide): readonly ComparedPart[];
}

export interface DashboardOptions {
  readonly terminal: Terminal;
  /** Lines instead of a screen: appended, with rows that are chosen by their numbers. */
  readonly isSpoken?: boolean;
  readonly session: DashboardSession;
  /** Makes a client for a session; called after the first frame is drawn. */
  createClient(session: DashboardSession, request: ClientRequest): Promise<Client>;
  readonly actions: DashboardActions;
  /** Opens a file of records; throws for one that cannot be read as such. */
  readonly openImport?: ((request: ImportRequest) => Promise<OpenedImport>) | undefined;
  /** Loads what reads and writes archives of workspaces; they can't be files without it. */
  readonly openArchives?: (() => Promise<ArchiveFiles>) | undefined;
  /** Start of the file browser and of relative paths. */
  readonly currentDirectory: string;
  readonly homeDirectory: string;
  /** The columns of the profile as `storeColumns` wrote them, not validated. */
  readonly storedColumns?: unknown;
  /** The settings of the profile as its user wrote them, not validated. */
  readonly profileSettings?: Readonly<Record<string, unknown>> | undefined;
  readonly start?: {
    readonly place?: Place | undefined;
    readonly skin?: string | undefined;
    /** Starts or joins the platform on this machine, which was the last one. */
    readonly startsLocal?: boolean | undefined;
  };
  /** The question for the terminal's background, where it has been sent already. */
  readonly asked?: BackgroundQuestion | undefined;
  /** The theme files of the user, not validated. */
  readonly themes?: readonly ThemeFile[] | undefined;
}
