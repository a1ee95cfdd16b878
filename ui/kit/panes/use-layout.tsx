import { createContext, useContext } from "react";
import { layoutOf, type Layout } from "./layout.ts";

export const LayoutContext = createContext<Layout>(layoutOf(80, 24));

export function useLayout(): Layout {
  return useContext(LayoutContext);
}
