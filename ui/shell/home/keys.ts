import { key, keyGroup } from "../../kit/keys/keys.ts";

export const homeKeys = keyGroup({ goHome: key("0", "global", "home") });
