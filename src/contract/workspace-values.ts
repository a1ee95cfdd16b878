/** Values that the command layer needs as well: no schema library is imported here (spec 2.1). */

export const homeRegions = ["au", "ca", "eu"] as const;
export const usecases = [
  "council",
  "retail",
  "healthcare",
  "finance",
  "manufacturing",
  "generic",
] as const;
export const defaultStarterTemplate = "blank-vertical-template";
