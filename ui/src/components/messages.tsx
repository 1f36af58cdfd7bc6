import { CircleAlert, LoaderCircle } from "lucide-react";
import type { ReactNode } from "react";

export function Loading({ what }: { what: string }) {
  return (
    <p role="status" className="flex items-center gap-2 p-6 text-pale">
      <LoaderCircle size={16} aria-hidden className="animate-spin" />
      Loading {what}…
    </p>
  );
}

export function Failed({ what, error, again }: { what: string; error: Error; again?: () => void }) {
  return (
    <div role="alert" className="m-6 flex items-start gap-2 rounded-lg bg-bad-ground p-4 text-bad">
      <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0">
        <p className="font-medium">{what} could not be loaded.</p>
        <p className="break-words">{error.message}</p>
        {again && (
          <button type="button" className="mt-2 underline" onClick={again}>
            Try again
          </button>
        )}
      </div>
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="p-6 text-center text-pale">
      <p className="font-medium text-ink">{title}</p>
      {children}
    </div>
  );
}
