/**
 * The header field of a list with the cursor of the feed of changes. Commands import this file at
 * start-up, so it imports no schema library.
 */
export const feedCursorField = "x-feed-cursor";
