import { createContext, useContext, type ReactNode } from "react";
import { layoutOf, type Layout } from "./layout.ts";

const LayoutContext = createContext<Layout>(layoutOf(80, 24));

export function LayoutProvider(props: { readonly layout: Layout; readonly children: ReactNode }) {
  return <LayoutContext value={props.layout}>{props.children}</LayoutContext>;
}

export function useLayout(): Layout {
  return useContext(LayoutContext);
}
