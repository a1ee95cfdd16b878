import { appKeys } from "./apps/keys.ts";
import { chatKeys } from "./chat/keys.ts";
import { documentKeys } from "./documents/keys.ts";
import { jobKeys } from "./jobs/keys.ts";
import { commonKeys, listKeys } from "./kit/keys/base-keys.ts";
import { keyTableOf } from "./kit/keys/keys.ts";
import { memberKeys } from "./members/keys.ts";
import { operationKeys } from "./operations/keys.ts";
import { recordKeys } from "./records/keys.ts";
import { searchKeys } from "./search/keys.ts";
import { shellKeys } from "./shell/keys.ts";
import { signInKeys } from "./sign-in/keys.ts";
import { workspaceKeys } from "./workspaces/keys.ts";

/** Every key of the dashboard, in the order of its help. */
export const keyTable = keyTableOf([
  listKeys,
  recordKeys,
  documentKeys,
  jobKeys,
  chatKeys,
  memberKeys,
  operationKeys,
  appKeys,
  workspaceKeys,
  signInKeys,
  searchKeys,
  shellKeys,
  commonKeys,
]);
