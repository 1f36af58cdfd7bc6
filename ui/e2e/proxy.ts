import { createServer, request } from "node:http";

/** A reverse proxy that shows a server below a path, which it takes off. */
export async function startProxy(
  path: string,
  target: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const { hostname, port } = new URL(target);
  const proxy = createServer((asked, answer) => {
    const rest = (asked.url ?? "").replace(path, "") || "/";
    const onward = request(
      { hostname, port, path: rest, method: asked.method, headers: asked.headers },
      (said) => {
        answer.writeHead(said.statusCode ?? 502, said.headers);
        said.pipe(answer);
      },
    );
    onward.on("error", () => answer.destroy());
    answer.on("close", () => onward.destroy());
    asked.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const address = proxy.address();
  const at = typeof address === "object" && address ? address.port : 0;
  const stop = () =>
    new Promise<void>((resolve) => {
      proxy.close(() => resolve());
      proxy.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${at}`, stop };
}
