/** A value with its source, as `svc whoami` shows it. */
export interface Sourced<Value> {
  readonly value: Value;
  readonly source: "flag" | "environment" | "project" | "profile" | "default";
  /** The variable, file or profile, e.g. `BASE_URL_PUBLIC_API`. */
  readonly name?: string | undefined;
}

/** The workspace of `svc workspace select`. */
export interface SelectedWorkspace {
  readonly id: string;
  readonly slug: string;
  readonly displayName?: string | undefined;
}

/** A named set of settings in `profiles.json`. */
export interface Profile {
  readonly baseUrl?: string | undefined;
  readonly authUrl?: string | undefined;
  /** The selected workspace, for one origin. */
  readonly workspace?: (SelectedWorkspace & { readonly origin: string }) | undefined;
  /** Settings of the dashboard, e.g. `columns`; JSON values by name. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}

/** A folder with `src/eai.config/` or `.env.local`. */
export interface Project {
  readonly root: string;
  /** Path of `src/eai.config`, if it exists. */
  readonly configDirectory: string | undefined;
  /** Why `src/eai.config` can't be used: E005 for commands that need it. */
  readonly fault?: string | undefined;
  /** Path of `.env.local`, if it exists. */
  readonly envFile: string | undefined;
  /** The supported keys of `.env.local`. */
  readonly variables: Readonly<Partial<Record<ProjectVariable, string>>>;
}

export const projectVariables = [
  "BASE_URL_PUBLIC_API",
  "SVC_AUTH_URL",
  "SVC_APP_KEY",
  "SVC_VERTICAL_KEY",
] as const;
export type ProjectVariable = (typeof projectVariables)[number];

export interface SettingsInput {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly currentDirectory: string;
  readonly homeDirectory: string;
  /** False: no project is looked for. True by default. */
  readonly readsProject?: boolean;
  readonly flags?: {
    readonly profile?: string | undefined;
    readonly baseUrl?: string | undefined;
    readonly tenantId?: string | undefined;
    readonly appKey?: string | undefined;
  };
}

/** Settings from flags, environment, project, profile and defaults, in this order of precedence. */
export interface Settings {
  readonly configDirectory: Sourced<string>;
  readonly profile: Sourced<string>;
  /** `{base_url}` without a trailing slash. */
  readonly baseUrl: Sourced<string>;
  /**
   * `{auth_url}` without a trailing slash; default `{base_url}/auth`, unless the platform names
   * another one at the sign-in.
   */
  readonly authUrl: Sourced<string>;
  /** False if only the project's `.env.local` sets the base URL. */
  readonly baseUrlTrusted: boolean;
  readonly workspace: Sourced<SelectedWorkspace | { readonly id: string }> | undefined;
  readonly appKey: Sourced<string> | undefined;
  readonly project: Project | undefined;
  /** Why nothing may be changed with this profile, and what allows it. */
  readonly readOnly: string | undefined;
  readonly profileSettings: Readonly<Record<string, unknown>>;
}
