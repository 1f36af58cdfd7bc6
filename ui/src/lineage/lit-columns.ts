import { createContext, useContext } from "react";

/** The columns on the lit path; nothing where no column is chosen. */
export const LitColumnsContext = createContext<ReadonlySet<string> | undefined>(undefined);

export const useLitColumns = (): ReadonlySet<string> | undefined => useContext(LitColumnsContext);
