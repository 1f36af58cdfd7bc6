declare module "elkjs/lib/elk-worker.min.js" {
  /** Looks like a worker and lives in the thread that made it. */
  const parts: { Worker: new () => Worker };
  export default parts;
}
