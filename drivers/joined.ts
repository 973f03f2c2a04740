/** A call that several may make at once and that runs once: a cancel may meet the end of the customer's time. */

/** While one call runs, all others get its promise. */
export const joined = <T>(run: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<T> | undefined;
  return () => {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  };
};
