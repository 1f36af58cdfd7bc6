import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { findingsQuery } from "@/api/queries";
import type { components } from "@/api/schema";
import { Age } from "@/components/age";
import { Empty, Failed, Loading } from "@/components/messages";
import { useTitle } from "@/components/node-page";
import { Select } from "@/components/select";
import { DecidedAliases } from "@/doctor/decided-aliases";
import { FindingsList } from "@/doctor/findings-list";
import { findingsWords, SEVERITY_WORDS, type Severity } from "@/graph/findings";

const route = getRouteApi("/doctor");

/** Names that do not align, seams that are broken, runs that never end; and what to do about it. */
export function DoctorPage() {
  useTitle("Doctor");
  const answer = useQuery(findingsQuery);
  return (
    <div className="mx-auto max-w-7xl p-4">
      <h1 className="sr-only">Doctor</h1>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0 space-y-3">
          {answer.isPending ? (
            <Loading what="the findings" />
          ) : answer.error ? (
            <Failed what="The findings" error={answer.error} again={() => void answer.refetch()} />
          ) : (
            <Found of={answer.data} />
          )}
        </div>
        <div className="min-w-0">
          <DecidedAliases />
        </div>
      </div>
    </div>
  );
}

function Found({ of: { findings, counts, madeAt } }: { of: components["schemas"]["Findings"] }) {
  const { severity } = route.useSearch();
  const navigate = route.useNavigate();
  const shown = severity ? findings.filter((one) => one.severity === severity) : findings;
  const options = new Map(
    [...SEVERITY_WORDS].map(([code, word]) => [code as string, `${word} (${counts[code]})`]),
  );
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg font-semibold">{findingsWords(shown.length)}</h2>
        <span className="flex items-center gap-3 text-[12px] text-pale">
          <span>
            Looked <Age at={madeAt} />
          </span>
          <Select
            label="Severity"
            value={severity}
            options={options}
            any="all"
            onChange={(chosen) =>
              void navigate({ search: chosen ? { severity: chosen as Severity } : {} })
            }
          />
        </span>
      </div>
      {shown.length === 0 && <Empty title="Every name aligns, and no seam is broken." />}
      <FindingsList findings={shown} />
    </>
  );
}
