export { transform } from "sucrase";
