/**
 * Electron's `utilityProcess.fork` for the till, over Node's own: a real process with a real channel, ended by real
 * signals.
 */
import { fork } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { UtilityProcess } from 'electron';
import { childProgram } from '../support/servers/children.ts';

const child = childProgram('till-utility-child');

/** `user`: a user number of the operating system; by default the one running the test. */
export const forkTill = (args: readonly string[], user?: number): UtilityProcess => {
  const ids = user === undefined ? {} : { uid: user, gid: user };
  const forked = fork(child, args, { execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'], ...ids });
  const utility = Object.assign(new EventEmitter(), {
    pid: undefined as number | undefined,
    stdout: forked.stdout,
    stderr: forked.stderr,
    // As in Electron, nothing is thrown when the other end is gone.
    postMessage: (message: object) => void forked.send(message, () => {}),
    kill: () => forked.kill('SIGTERM'),
  });
  forked.on('message', (message) => utility.emit('message', message));
  forked.once('spawn', () => {
    utility.pid = forked.pid;
    utility.emit('spawn');
  });
  forked.once('exit', (code, signal) => {
    utility.emit('exit', signal === null ? code : 1);
    utility.pid = undefined;
  });
  return utility as unknown as UtilityProcess;
};
