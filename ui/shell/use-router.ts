import { Part, usePart } from "../kit/state/part.ts";
import { Store, useSelected, type Followed } from "../kit/state/store.ts";
import { current, left, opened, type Route, type Trail } from "./router.ts";

/** The opened routes. */
export class Router {
  readonly #trail: Store<Trail>;
  readonly trail: Followed<Trail>;

  constructor(start: Route) {
    this.#trail = new Store<Trail>([start]);
    this.trail = this.#trail;
  }

  readonly go = (route: Route): void => this.#trail.set((now) => opened(now, route));
  readonly back = (): void => this.#trail.set(left);
  /** Opens a route without a way back, as after signing in. */
  readonly restart = (route: Route): void => this.#trail.set([route]);
  readonly route = (): Route => current(this.#trail.get());
}

export const routerPart = new Part<Router>("router");

/** Opens other routes; the component does not render again when one is opened. */
export function useRouter(): Router {
  return usePart(routerPart);
}

/** The open route. */
export function useRoute(): Route {
  return useSelected(useRouter().trail, current);
}

export function useCanGoBack(): boolean {
  return useSelected(useRouter().trail, ({ length }) => length > 1);
}
