import { publicapiCommand } from "./any-route.ts";

export default publicapiCommand("POST", {
  summary: "Send to a v4 route",
  examples: ["svc publicapi post /v4/identity/me/provision"],
  trials: ["/v4/identity/me/provision"],
});
