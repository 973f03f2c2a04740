/** Whether a process of a simulation lives: what it waits for never comes once it is dead. */

/** What was asked for, as long as whoever asks is alive. */
export type Alive = <T>(ask: () => Promise<T>) => Promise<T>;

/** `died` resolves at its end. */
export const pulse = () => {
  const never = new Promise<never>(() => {});
  const { promise: died, resolve } = Promise.withResolvers<void>();
  const state = { dead: false, died };
  const alive: Alive = (ask) =>
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
