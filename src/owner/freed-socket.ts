/** Socket files outlive the program that made them: one behind which nobody answers is taken away. */
import { existsSync, lstatSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';

/** Whether a program listens there. */
export const isSocketAnswered = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = connect(path);
    asked.once('connect', () => resolve(true)).once('error', () => resolve(false));
    asked.once('close', () => asked.destroy());
    asked.once('connect', () => asked.end());
  });

/** Makes the path free for a socket. Throws when something else has its name, or a program answers there. */
export const freeSocket = async (path: string): Promise<void> => {
  if (!existsSync(path)) return;
  if (!lstatSync(path).isSocket()) throw new Error('something else has this name');
  if (await isSocketAnswered(path)) throw Object.assign(new Error('in use'), { code: 'EADDRINUSE' });
  unlinkSync(path);
};
