import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { BASE } from "./api/client";
import { SEVERITY_WORDS, type Severity } from "./graph/findings";
import { readView, writeView } from "./graph/view";
import { Home } from "./pages/home";
import { NotFound, Shell } from "./pages/shell";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const textIn = (raw: Record<string, unknown>, key: string): string | undefined => {
  const value = raw[key];
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : undefined;
};
const nodeAndVersions = (
  raw: Record<string, unknown>,
): { node: string; before?: string; after?: string } => {
  const [before, after] = [textIn(raw, "before"), textIn(raw, "after")];
  const node = textIn(raw, "node") ?? "";
  return { node, ...(before ? { before } : {}), ...(after ? { after } : {}) };
};

const homeRoute = createRoute({ getParentRoute: () => root, path: "/", component: Home });

const lineageRoute = createRoute({
  getParentRoute: () => root,
  path: "/lineage",
  validateSearch: (raw: Record<string, unknown>): Record<string, unknown> =>
    writeView(readView(raw)),
  component: lazyRouteComponent(() => import("./pages/lineage"), "LineagePage"),
});

const jobRoute = createRoute({
  getParentRoute: () => root,
  path: "/job",
  validateSearch: nodeAndVersions,
  component: lazyRouteComponent(() => import("./pages/job"), "JobPage"),
});

const datasetRoute = createRoute({
  getParentRoute: () => root,
  path: "/dataset",
  validateSearch: nodeAndVersions,
  component: lazyRouteComponent(() => import("./pages/dataset"), "DatasetPage"),
});

export interface Narrowed {
  q?: string;
  type?: string;
  namespace?: string;
  platform?: string;
  cluster?: string;
  kind?: string;
  state?: string;
  tag?: string;
  offset?: number;
}
const NARROWING = [
  "q",
  "type",
  "namespace",
  "platform",
  "cluster",
  "kind",
  "state",
  "tag",
] as const;

const searchRoute = createRoute({
  getParentRoute: () => root,
  path: "/search",
  validateSearch: (raw: Record<string, unknown>): Narrowed => {
    const said: Narrowed = {};
    for (const key of NARROWING) {
      const value = textIn(raw, key);
      if (value) said[key] = value;
    }
    if (Number.isInteger(raw.offset) && (raw.offset as number) > 0)
      said.offset = raw.offset as number;
    return said;
  },
  component: lazyRouteComponent(() => import("./pages/search"), "SearchPage"),
});

export interface DoctorSearch {
  severity?: Severity;
}

const doctorRoute = createRoute({
  getParentRoute: () => root,
  path: "/doctor",
  validateSearch: (raw: Record<string, unknown>): DoctorSearch => {
    const severity = [...SEVERITY_WORDS.keys()].find((one) => one === raw.severity);
    return severity ? { severity } : {};
  },
  component: lazyRouteComponent(() => import("./pages/doctor"), "DoctorPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    homeRoute,
    lineageRoute,
    jobRoute,
    datasetRoute,
    searchRoute,
    doctorRoute,
  ]),
  basepath: BASE.pathname,
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
