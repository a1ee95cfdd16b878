import { publicapiCommand } from "./any-route.ts";

export default publicapiCommand("PATCH", {
  summary: "Change through a v4 route",
  examples: [`svc publicapi patch /v4/identity/me/profile --data '{"displayName":"M. Okafor"}'`],
  trials: ['/v4/identity/me/profile --data {"displayName":"Ada"}'],
});
