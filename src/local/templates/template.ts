/** The templates of `svc init` (spec 4.7), which are in the executable. */
export const templateNames = ["web-app", "script"] as const;
export type TemplateName = (typeof templateNames)[number];

export const packageProfileNames = ["external", "internal", "hybrid"] as const;
export type PackageProfileName = (typeof packageProfileNames)[number];

/** The facts of a project that its files name. */
export interface ProjectFacts {
  /** Name in kebab case, e.g. `tree-register`. */
  readonly name: string;
  readonly packageProfile: PackageProfileName;
}

/** `own`: the project's after `init`; `managed`: refreshed with each version. */
export type FileKind = "own" | "ui" | "managed";

export interface TemplateFile {
  readonly path: string;
  readonly kind: FileKind;
  readonly text: string;
}

export interface ProjectTemplate {
  readonly name: TemplateName;
  readonly summary: string;
  /** The scripts of its package.json. */
  readonly scripts: Readonly<Record<string, string>>;
  /** True if the project brings along what makes JavaScript of its TypeScript. */
  readonly removesTypes: boolean;
  /** The command that runs the project after its installation. */
  readonly run: string;
  /** The kind of a file in the folder `templates` of the sources. */
  kindOf(path: string): FileKind;
}

/** A project's name from any text: kebab-case, at most 60 characters. */
export function projectName(text: string): string {
  const name = text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^[-0-9]+/, "");
  return name.slice(0, 60).replace(/-+$/, "");
}
