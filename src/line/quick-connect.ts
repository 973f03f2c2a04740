/**
 * Connections to a gateway that a sale waits for: a line that does not answer is given up soon, and remembered as down,
 * so that the next sale need not wait for it. Whether it is back is tried in the background.
 */
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { type Clock, deadline } from '../base/clock.ts';

type Connector = buildConnector.connector;
type Options = buildConnector.Options;

export type QuickConnect = {
  /** For undici's agents. */
  connect: Connector;
  /** The last connection was given up, and none has been possible since. */
  isDown(): boolean;
  /** Ends the tries in the background. */
  stop(): void;
};

/** A connection that does not stand by then, encryption and all, counts as not reached: nothing was sent on it. */
export const CONNECT_WITHIN_MS = 1_500;
/** Between two tries in the background. */
export const TRY_EVERY_MS = 2_000;

/** `connector` makes the connections, without a deadline of its own; `late` the error of one that was given up. */
export const quickConnect = (
  connector: Connector,
  { clock, late }: { clock: Clock; late: () => Error },
): QuickConnect => {
  let down = false;
  let stopped = false;
  let cancelTry = () => {};
  const givenUp = new WeakSet<Error>();

  const attempt = (options: Options, done: buildConnector.Callback): void => {
    let ended = false;
    const end = (...[error, socket]: Parameters<buildConnector.Callback>): void => {
      // One that comes after it was given up is not used: its request has been told that it was not sent.
      if (ended) return void socket?.destroy();
      ended = true;
      stopWaiting();
      if (error === null) done(null, socket);
      else done(error, null);
    };
    const stopWaiting = deadline(clock, CONNECT_WITHIN_MS, () => {
      const waiting = started as Socket | undefined;
      const error = late();
      givenUp.add(error);
      end(error, null);
      waiting?.destroy();
    });
    // It returns the socket that it waits for, which its type does not tell.
    const started: unknown = connector(options, (...came) => end(...came));
  };

  const isLate = (error: Error | null): boolean => error !== null && givenUp.has(error);

  const tryAgain = (options: Options): void => {
    cancelTry = clock.after(TRY_EVERY_MS, () =>
      attempt(options, (error, socket) => {
        socket?.destroy();
        // What fails at once keeps nobody waiting: the next sale may try for itself.
        down = isLate(error);
        if (down && !stopped) tryAgain(options);
      }),
    );
  };

  return {
    connect: (options, done) =>
      attempt(options, (error, socket) => {
        if (isLate(error) && !down && !stopped) {
          down = true;
          tryAgain(options);
        }
        if (error === null) done(null, socket);
        else done(error, null);
      }),
    isDown: () => down,
    stop() {
      stopped = true;
      cancelTry();
    },
  };
};
