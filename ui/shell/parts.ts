import type { ComponentType, ReactElement } from "react";
import type { DialogProps } from "../kit/dialogs/overlay.tsx";
import type { Choice } from "../kit/dialogs/questions.ts";
import type { PlaceCounts } from "./places.ts";
import type { Route } from "./router.ts";

/** Props of the search; `objectType` is the type whose records are open. */
export type SearchProps = DialogProps & { readonly objectType: string | undefined };

/** Parts of the nouns that the shell draws without importing them. */
export interface ShellParts {
  readonly screenOf: (route: Route) => ReactElement;
  /** Loads the counts of the places while the sidebar is shown. */
  readonly PlaceCounts: ComponentType<{
    readonly children: (counts: PlaceCounts) => ReactElement;
  }>;
  readonly Search: ComponentType<SearchProps>;
  /** A hook: things of the workspace that a pattern of the palette finds. */
  readonly useFinds: (pattern: string) => readonly Choice[];
}
