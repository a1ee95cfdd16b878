import { publicapiCommand } from "./any-route.ts";

export default publicapiCommand("POST", {
  summary: "Send to a v4 route",
  examples: ["svc publicapi post /v4/identity/me/provision"],
  trials: [
    "/v4/identity/me/provision",
    { words: "/v4/realtime/negotiate --data {}", at: ["other"] },
    {
      words:
        "/v4/data/resources/{workspace}/street-tree/{recordPath}/actions/inspect " +
        "--tenant-id {workspace} --data {}",
      at: ["other"],
    },
  ],
});
