/** Whether a simulated process is alive: once it is dead, nothing that it waits for arrives. */

/** The result of the call, as long as the caller is alive. */
export type WhileAlive = <T>(ask: () => Promise<T>) => Promise<T>;

/** `died` resolves when it ends. */
export const simulatedProcess = () => {
  const never = new Promise<never>(() => {});
  const { promise: died, resolve } = Promise.withResolvers<void>();
  const state = { dead: false, died };
  const alive: WhileAlive = (ask) =>
    state.dead
      ? never
      : ask().then(
          (value) => (state.dead ? never : value),
          (error) => (state.dead ? never : Promise.reject(error)),
        );
  return {
    state,
    alive,
    stop(): void {
      state.dead = true;
      resolve();
    },
  };
};
