import { publicapiCommand } from "./any-route.ts";

export default publicapiCommand("PUT", {
  summary: "Replace through a v4 route",
  examples: [
    "svc publicapi put /v4/data/resources/<tenantId>/business-request/<id> --data @update.json",
  ],
  trials: [
    "/v4/data/resources/{workspace}/street-tree/{recordPath} --data " +
      '{"data":{"species":"fir"},"version":1}',
  ],
});
