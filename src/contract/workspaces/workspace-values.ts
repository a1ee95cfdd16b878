/** Values of spec 2.1. Commands import this file at start-up, so it imports no schema library. */

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
