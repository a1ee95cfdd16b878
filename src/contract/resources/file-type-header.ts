/**
 * The media type of an uploaded file. The bytes travel as `application/octet-stream` (spec 2.4), so
 * a deployment that knows no types can ignore this header; without it the embedded platform stores
 * the `Content-Type` of the request. Commands import this file at start-up: no schema library.
 */
export const fileTypeHeader = "X-File-Content-Type";
