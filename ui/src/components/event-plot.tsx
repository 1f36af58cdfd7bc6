import { useEffect, useRef } from "react";
import UPlot from "uplot";

interface Point {
  at: string;
  events: number;
}

const HEIGHT = 252;
const hour = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** Events by the hour; the figures are in a table for those who cannot see the plot. */
export function EventPlot({ points }: { points: readonly Point[] }) {
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = holder.current;
    if (!element) return;
    const style = getComputedStyle(document.documentElement);
    const [ink, line, accent] = ["--pale", "--line", "--accent"].map((one) =>
      style.getPropertyValue(one),
    );
    const bars = UPlot.paths.bars?.({ size: [0.7, 40] });
    const axis = {
      stroke: ink ?? "",
      grid: { stroke: line ?? "", width: 1 },
      ticks: { show: false },
    };
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height: HEIGHT,
        cursor: { show: false },
        scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] } },
        axes: [
          { ...axis, values: (_, at) => at.map((second) => hour.format(second * 1000)) },
          { ...axis, size: 46 },
        ],
        series: [
          {},
          {
            label: "events",
            fill: accent ?? "",
            width: 0,
            ...(bars ? { paths: bars } : {}),
            points: { show: false },
          },
        ],
      },
      [points.map((one) => Date.parse(one.at) / 1000), points.map((one) => one.events)],
      element,
    );
    const watcher = new ResizeObserver(() =>
      plot.setSize({ width: element.clientWidth, height: HEIGHT }),
    );
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      plot.destroy();
    };
  }, [points]);
  return (
    <>
      <div ref={holder} aria-hidden className="h-[252px] w-full" />
      <table className="sr-only">
        <caption>Events by the hour</caption>
        <thead>
          <tr>
            <th>Hour</th>
            <th>Events</th>
          </tr>
        </thead>
        <tbody>
          {points.map((one) => (
            <tr key={one.at}>
              <td>{one.at}</td>
              <td>{one.events}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
