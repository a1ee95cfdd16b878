import { publicapiCommand } from "./any-route.ts";

export default publicapiCommand("GET", {
  summary: "Read a v4 route",
  examples: [
    "svc publicapi get /v4/data/documents/records --param limit=5",
    "svc publicapi get /v4/data/documents/records/DOC-2026-000001/content > statement.pdf",
  ],
  trials: ["/v4/identity/me", "/v4/data/resources/{workspace}/street-tree --param limit=2"],
});
