import { tabbedPlace } from "../kit/places/tabbed-place.tsx";
import { useRoute } from "../shell/router.ts";
import { Deliveries } from "./deliveries.ts";
import { Endpoints } from "./endpoints.ts";
import { Received } from "./received.ts";
import { Sources } from "./sources.ts";

const Webhooks = tabbedPlace("webhooks", { endpoints: Endpoints, sources: Sources });

/** The endpoints that receive events, with their deliveries; the sources and their calls. */
export function WebhooksScreen() {
  const route = useRoute();
  if (route.place !== "webhooks") return null;
  const { endpoint, source } = route;
  if (endpoint !== undefined) return <Deliveries key={endpoint.id} endpoint={endpoint} />;
  if (source !== undefined) return <Received key={source.id} source={source} />;
  return <Webhooks />;
}
