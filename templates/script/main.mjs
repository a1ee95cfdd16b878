import { createClient } from "svc";
import { report } from "./report.mjs";

const { BASE_URL_PUBLIC_API = "http://127.0.0.1:4400", SVC_TOKEN = "" } = process.env;
if (SVC_TOKEN === "") {
  console.error("SVC_TOKEN is missing: `svc dev --with-token` gives the script your sign-in");
  process.exit(4);
}
const client = createClient({ baseUrl: BASE_URL_PUBLIC_API, token: SVC_TOKEN });
for await (const line of report(client)) console.log(line);
