/** What every `resources file` command names. */
export const fileArguments = [
  { name: "type", description: "Exact slug of the Object Type" },
  { name: "id", description: "ID of the record" },
  { name: "property", description: "File property of the Object Type" },
] as const;
