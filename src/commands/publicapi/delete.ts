import { publicapiCommand } from "./any-route.ts";

export default publicapiCommand("DELETE", {
  summary: "Delete through a v4 route",
  examples: ["svc publicapi delete /v4/data/resources/<tenantId>/business-request/<id>"],
  trials: ["/v4/data/resources/{workspace}/street-tree/{recordPath}"],
});
