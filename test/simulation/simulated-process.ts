/** Whether a simulated process is alive: once it is dead, nothing that it waits for arrives. */

/** The result of the call, as long as the caller is alive. */
export type WhileAlive = <T>(work: () => Promise<T>) => Promise<T>;

/** `died` resolves when it ends. */
export const simulatedProcess = () => {
  const pendingForever = new Promise<never>(() => {});
  const { promise: death, resolve } = Promise.withResolvers<void>();
  const state = { dead: false, died: death };
  const guard: WhileAlive = (work) =>
    state.dead
      ? pendingForever
      : work().then(
          (value) => (state.dead ? pendingForever : value),
          (error) => (state.dead ? pendingForever : Promise.reject(error)),
        );
  return {
    state,
    alive: guard,
    stop(): void {
      state.dead = true;
      resolve();
    },
  };
};
