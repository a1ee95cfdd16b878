/** Formats of files with features; commands need them without the schema library. */
export const importFormats = ["geojson", "ndgeojson", "csv", "gpx", "kml"] as const;
export type ImportFormat = (typeof importFormats)[number];

/** The largest file of an import: 2 GiB. */
export const maximumImportBytes: number = 2 * 1024 ** 3;
export const maximumImportFeatures = 2_000_000;
/** Refused features of which an import keeps the reasons. */
export const maximumImportFaults = 1_000;
