import type { SaidField } from "@/graph/fields";

/** The parts of Marquez's shapes that the page shows. */

export interface NamedDataset {
  namespace: string;
  name: string;
}

export type Facets = Record<string, unknown>;

export interface Dataset extends NamedDataset {
  kind: string;
  fields: SaidField[];
  tags: string[];
  owners?: string[] | null;
  description: string | null;
  createdAt: string;
  updatedAt: string;
  lastModifiedAt: string | null;
  currentVersion: string | null;
  facets: Facets;
  aliases: NamedDataset[];
}

export interface DatasetVersion {
  version: string;
  createdAt: string;
  fields: SaidField[];
}

export interface Run {
  id: string;
  createdAt: string;
  updatedAt: string;
  state: string;
  stale: boolean;
  startedAt: string | null;
  endedAt: string | null;
  durationMs: number | null;
  jobVersion: { version: string } | null;
  facets: Facets;
}

export interface Job {
  namespace: string;
  name: string;
  type: string;
  description: string | null;
  location: string | null;
  createdAt: string;
  updatedAt: string;
  inputs: NamedDataset[];
  outputs: NamedDataset[];
  facets: Facets;
  labels: string[];
  tags: string[];
  owners?: string[] | null;
  latestRun: Run | null;
}

export interface JobVersion {
  version: string;
  createdAt: string;
  location: string | null;
  inputs: NamedDataset[];
  outputs: NamedDataset[];
}
