/** What work costs, for what must not grow without bound: how much else the machine has to do does not count. */

/** What this thread has worked until now, ms. */
export const workedMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
