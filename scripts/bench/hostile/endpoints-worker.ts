/**
 * A worker with the hostile endpoints, whose endless answers would take the thread that measures.
 * Its first message is their port; it answers each message with the connections inward.
 */
import { hostilePlace } from "../../../test/server/domains/webhooks/hostile-endpoint.ts";

declare const self: Worker;

const place = await hostilePlace();
self.onmessage = () => self.postMessage(place.inwardConnections());
self.postMessage(place.port);
