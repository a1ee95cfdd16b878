/** Header field of a list with the cursor of the feed of changes; commands load it, so no schema. */
export const feedCursorField = "x-feed-cursor";
