import { Link } from "@tanstack/react-router";
import { NEWS_WORDS, type NewsItem, newsAddress, newsTitle, newsWords } from "@/graph/news";
import { Age } from "./age";
import { KindIcon } from "./kind-icon";
import { Name } from "./name";

/** What changed, each in a line that leads to where it can be seen. */
export function NewsRows({
  items,
  since,
  isPartial,
}: {
  items: readonly NewsItem[];
  since: string;
  isPartial: boolean;
}) {
  if (items.length === 0) return <p className="p-3 text-pale">Nothing changed in this time.</p>;
  return (
    <ul className="@container max-h-80 overflow-auto">
      {items.map((item) => (
        <li
          key={`${item.what} ${item.at} ${item.node.id}`}
          className="flex items-center gap-3 border-b border-line px-3 py-1.5 last:border-0"
        >
          <span className="w-24 shrink-0 text-[12px] font-medium text-pale">
            {NEWS_WORDS[item.what]}
          </span>
          <span className="flex min-w-0 flex-1 flex-col">
            <Link {...newsAddress(item, since)} className="link flex min-w-0 items-center gap-1.5">
              <KindIcon node={item.node} size={13} />
              <Name text={newsTitle(item)} most={56} className="font-medium" />
            </Link>
            <Name text={newsWords(item)} most={110} className="text-[12px] text-pale" />
          </span>
          <span className="hidden w-20 shrink-0 text-right text-[12px] text-pale @sm:inline">
            <Age at={item.at} />
          </span>
        </li>
      ))}
      {isPartial && (
        <li className="px-3 py-1.5 text-[12px] text-pale">
          These are the newest; more may have changed in the last 24 hours.
        </li>
      )}
    </ul>
  );
}
