import { useCallback, useMemo, useState, type ReactNode } from "react";
import { current, left, opened, type Route, type Trail } from "./router.ts";
import { requiredContext } from "../kit/state/required-context.ts";

interface Router {
  readonly route: Route;
  readonly canGoBack: boolean;
  go(route: Route): void;
  back(): void;
  /** Opens a route without a way back, as after signing in. */
  restart(route: Route): void;
}

const [RouterContext, useRouter] = requiredContext<Router>("RouterProvider");
export { useRouter };

export function RouterProvider(props: { readonly start: Route; readonly children: ReactNode }) {
  const [trail, setTrail] = useState<Trail>([props.start]);
  const go = useCallback((route: Route) => setTrail((now) => opened(now, route)), []);
  const back = useCallback(() => setTrail(left), []);
  const restart = useCallback((route: Route) => setTrail([route]), []);
  const router = useMemo<Router>(
    () => ({ route: current(trail), canGoBack: trail.length > 1, go, back, restart }),
    [trail, go, back, restart],
  );
  return <RouterContext value={router}>{props.children}</RouterContext>;
}
