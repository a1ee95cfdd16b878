import { inFile } from "./rows.ts";
import type { Promises } from "./promises.ts";

export const programPromises: Promises = {
  "A token goes only to the platform": [
    ...inFile(
      "client/transport/transport",
      "one origin only > a %i is an error, and nothing goes elsewhere",
    ),
    ...inFile("commands/whoami", "a token and an address from a project > are not used together"),
  ],
  "Tokens of an identity provider": inFile(
    "auth/sign-in",
    "a provider that only a project's .env.local names > signs in with every address at its own origin",
    "a provider that only a project's .env.local names > sends no code of %s to another provider's token endpoint",
  ).concat(
    inFile(
      "local/configuration/settings",
      "settings > keep a profile's identity provider to the profile's platform",
    ),
  ),
  "Text from a platform": [
    ...inFile(
      "ui/sign-in/hostile-text",
      "control sequences in answers: %s > do nothing in sign-in after %s",
    ),
    ...inFile("cli/output/table", "text tables > control sequences in a cell do nothing"),
    ...inFile("commands/hostile-text", "pulled types are ASCII source with the original values"),
  ],
  "Only `svc types …` and `svc dev`": [
    ...inFile(
      "local/object-types/file",
      "a module of a hostile project > sees no variable with a credential",
    ),
    ...inFile(
      "e2e/commands",
      "a hostile working directory > runs none of its code and gets no token",
    ),
  ],
  "The server of a new web app": [
    ...inFile(
      "commands/web-app-origins",
      "a page of another origin gets nothing through the web app's server",
    ),
  ],
  "No output, report, log or file": [
    ...inFile(
      "commands/support/redaction/redact-report",
      "a planted secret > does not survive: %s",
      "a planted secret > does not survive next to other secrets",
    ),
    ...inFile(
      "commands/support/harness",
      "a planted secret > in %s does not survive, in any encoding",
    ),
    ...inFile("lib/text/redact", "a secret of the format %s is found by its prefix"),
  ],
  "A file of a project or of a release": [
    ...inFile(
      "commands/hostile-files",
      "$kind ends `svc $words` at once",
      "an export of an audit log without the end of a line is refused",
    ),
    ...inFile(
      "commands/update",
      "update reads a folder > whose %s is a link, a pipe or a device only as a failure",
    ),
  ],
  "A file that `svc` writes replaces": [
    ...inFile(
      "lib/files/atomic-write",
      "an atomic write > never replaces a pipe or a device",
      "an atomic write > of a file that others may not read leaves it so",
      "an atomic write > removes at once what a killed writer left, and nothing of a running one",
    ),
    ...inFile(
      "local/new-project",
      "a new folder gets its name when it is complete, and the rest of a killed call is removed",
      "a call goes on where a killed one ended in a folder that was there ($isCurrent)",
      "other files and other texts are never taken for a rest",
    ),
  ],
  "A release is installed only": [
    ...inFile("commands/update", "update installs nothing > with a flipped bit anywhere"),
    ...inFile(
      "e2e/update",
      "an update that is killed > at any moment leaves a working executable each time",
    ),
  ],
  "A write is sent again only": inFile(
    "client/repeated-writes",
    "attempts of a write > of a POST that creates, where no response has shown that keys are honoured > end after %i",
    "attempts of a write > of a POST that creates, where no response has shown that keys are honoured > end where the line breaks, also on a connection that was used before",
    "attempts of a write > repeat a POST that creates after a broken line, once %s was seen",
  ),
  "A wrong, cut or endless answer": [
    ...inFile(
      "e2e/hostile-servers",
      "a wrong answer claims no success, and sends no write twice and no token elsewhere",
    ),
    ...inFile(
      "commands/hostile-servers",
      "chat stream > ends after 16 MiB of an answer without end",
    ),
  ],
};
