/** What a command learns from the user's disk; the modules beside this one fill it. */

/** A value and where it came from, as `svc whoami` shows it. */
export interface Sourced<Value> {
  readonly value: Value;
  readonly source: "flag" | "environment" | "project" | "profile" | "default";
  /** The variable, file or profile that said it, e.g. `BASE_URL_PUBLIC_API`. */
  readonly name?: string | undefined;
}

/** The workspace that `svc workspace select` chose. */
export interface SelectedWorkspace {
  readonly id: string;
  readonly slug: string;
  readonly displayName?: string | undefined;
}

/** A named set of settings in `profiles.json`. */
export interface Profile {
  readonly baseUrl?: string | undefined;
  readonly authUrl?: string | undefined;
  /** Chosen workspace; holds only for the origin it was chosen on. */
  readonly workspace?: (SelectedWorkspace & { readonly origin: string }) | undefined;
  /** What the user has arranged, e.g. `columns`; JSON values by name. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

/** The nearest folder upwards that holds `src/eai.config/` or `.env.local`. */
export interface Project {
  readonly root: string;
  /** `src/eai.config`, where it exists. */
  readonly configDirectory: string | undefined;
  /** `.env.local`, where it exists. */
  readonly envFile: string | undefined;
  /** The keys of `.env.local` that are honoured; nothing else of it is kept. */
  readonly variables: Readonly<Partial<Record<ProjectVariable, string>>>;
}

export const projectVariables = ["BASE_URL_PUBLIC_API", "SVC_APP_KEY", "SVC_VERTICAL_KEY"] as const;
export type ProjectVariable = (typeof projectVariables)[number];

export interface SettingsInput {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly currentDirectory: string;
  readonly homeDirectory: string;
  readonly flags?: {
    readonly profile?: string | undefined;
    readonly baseUrl?: string | undefined;
    readonly tenantId?: string | undefined;
    readonly appKey?: string | undefined;
  };
}

/** Everything that flags, environment, project, profile and defaults say, in that order. */
export interface Settings {
  readonly configDirectory: Sourced<string>;
  readonly profile: Sourced<string>;
  /** `{base_url}` with no trailing slash. */
  readonly baseUrl: Sourced<string>;
  /** `{auth_url}` with no trailing slash; default `{base_url}/auth`. */
  readonly authUrl: Sourced<string>;
  /** False where only the project's `.env.local` names the base URL. */
  readonly baseUrlTrusted: boolean;
  readonly workspace: Sourced<SelectedWorkspace | { readonly id: string }> | undefined;
  readonly appKey: Sourced<string> | undefined;
  readonly project: Project | undefined;
  readonly profileSettings: Readonly<Record<string, unknown>>;
}
