import type { ComponentType, ReactElement } from "react";
import type { DialogProps } from "../kit/dialogs/overlay.tsx";
import type { PlaceCounts } from "./places.ts";
import type { Route } from "./router.ts";

/** Search over the screen; `objectType` is the type whose records are looked at. */
export type SearchProps = DialogProps & { readonly objectType: string | undefined };

/** What the nouns put into the shell, which knows none of them. */
export interface ShellParts {
  readonly screenOf: (route: Route) => ReactElement;
  /** Asks for what stands beside the places, while they are shown. */
  readonly PlaceCounts: ComponentType<{
    readonly children: (counts: PlaceCounts) => ReactElement;
  }>;
  readonly Search: ComponentType<SearchProps>;
}
