import { Part } from "../../kit/state/part.ts";
import type { ProfileSettings } from "./profile-settings.ts";

/** The user's own settings of the dashboard. */
export const settingsPart = new Part<ProfileSettings>("settings");
