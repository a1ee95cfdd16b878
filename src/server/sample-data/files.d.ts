// An import `with { type: "file" }` gives the path of the file, on disk or in the executable.
declare module "*.pdf" {
  const path: string;
  export default path;
}
declare module "*.docx" {
  const path: string;
  export default path;
}
declare module "*.xlsx" {
  const path: string;
  export default path;
}
declare module "*.htm" {
  const path: string;
  export default path;
}
declare module "*.eml" {
  const path: string;
  export default path;
}
declare module "*.md" {
  const path: string;
  export default path;
}
declare module "*.csv" {
  const path: string;
  export default path;
}
