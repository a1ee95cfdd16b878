/** The database's name in the data directory. */
export const databaseFilename = "svc.db";
