import { key, keyGroup } from "../kit/keys/keys.ts";

export const operationKeys = keyGroup({ goOperations: key("6", "global", "operations") });
