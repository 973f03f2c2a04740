/** Measures the cost of work that must not grow without bound, whatever else the machine is doing. */

/** How long this thread has worked so far, ms. */
export const cpuTimeMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
