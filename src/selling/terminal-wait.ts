/**
 * Decides whose turn it is at a counter. A sale waits for a terminal that the last sale still occupies. An operation
 * that the terminal performs on an earlier payment waits for a gap between two sales. While a batch is closed, nothing
 * new begins in it.
 */

import type { WaitingTurn } from '../api/contract/counters.ts';
import type { FollowOperation } from '../api/contract/sales.ts';
import type { Clock } from '../base/clock.ts';
import { Fault, isFault } from '../base/fault.ts';
import type { Sale } from '../till/machine/sale.ts';

export type TurnRequest = {
  counter: string;
  terminalId: string;
  /** Only the gateway is involved, so it waits for no terminal. */
  beside: boolean;
  /** The terminal performs the operation on this payment, without a customer. */
  follows?: { receipt: number; operation: FollowOperation };
};

/** What occupies a terminal. `ended` resolves when it is free again. */
type TerminalHold = { sale: Sale; ended: Promise<void> };

export type WaitParts = {
  clock: Clock;
  holdOf(counter: string): TerminalHold | undefined;
  /** Resolves when no close holds the request back any more. Undefined if none does. */
  heldBack(request: TurnRequest): Promise<void> | undefined;
  /** Called when the queue at a counter has changed. */
  changed(): void;
};

export interface TerminalWaits {
  /**
   * Takes a turn, until the returned function is called. Rejects with `terminal.busy` when the requester has
   * disconnected: nothing begins that nobody waits for. A fault that is the reason of `abortSignal` is thrown itself.
   * Throws `terminal.turn` after a while, and `till.stopping` after `end`.
   */
  turn(request: TurnRequest, signal?: AbortSignal): Promise<() => void>;
  /** What waits for a counter's terminal, in order of arrival. */
  waiting(counter: string): WaitingTurn[];
  /** Ends it for good: nothing waits any more. */
  end(): void;
}

/** Longer than a card payment takes; nobody at a screen waits longer than this. */
const TURN_MS = 90_000;

/** `isShown`: it is waiting, and the screens show it. */
type Ticket = { turnRequest: TurnRequest; left: PromiseWithResolvers<void>; since: number; isShown: boolean };
type Obstacle = { released: Promise<void>; is: string };

export const openTerminalWaits = (parts: WaitParts): TerminalWaits => {
  const { clock, holdOf, changed } = parts;
  const ended = new AbortController();
  const lines = new Map<string, Ticket[]>();
  const lineAt = (counter: string): Ticket[] => lines.get(counter) ?? [];

  const leave = (ticket: Ticket): void => {
    const { counter } = ticket.turnRequest;
    lines.set(
      counter,
      lineAt(counter).filter((one) => one !== ticket),
    );
    ticket.left.resolve();
    if (ticket.isShown) changed();
  };

  return {
    async turn(request, signal) {
      const ticket: Ticket = {
        turnRequest: request,
        left: Promise.withResolvers(),
        since: clock.monotonic(),
        isShown: false,
      };
      const line = request.beside ? [] : lineAt(request.counter);
      if (!request.beside) lines.set(request.counter, [...line, ticket]);
      try {
        let obstacle = obstacleOf(parts, ticket, lineAt(request.counter));
        ticket.isShown = obstacle !== undefined && request.follows !== undefined;
        if (ticket.isShown) changed();
        while (obstacle !== undefined) {
          await waitForObstacle(obstacle, { ticket, clock, abortSignal: signal, ended: ended.signal });
          obstacle = obstacleOf(parts, ticket, lineAt(request.counter));
        }
        return () => leave(ticket);
      } catch (error) {
        leave(ticket);
        throw error;
      }
    },
    waiting(counter) {
      const at = holdOf(counter);
      return lineAt(counter).flatMap(({ turnRequest: { follows } }) =>
        follows === undefined || at === undefined ? [] : [{ ...follows, behind: at.sale.intent.receipt }],
      );
    },
    end: () => ended.abort(),
  };
};

/** What this ticket must wait for now. Undefined when it is its turn, or when waiting would not help. */
const obstacleOf = ({ holdOf, heldBack }: WaitParts, ticket: Ticket, line: readonly Ticket[]): Obstacle | undefined => {
  const { turnRequest } = ticket;
  const released = heldBack(turnRequest);
  const held = released && { released, is: 'the close of its batch' };
  if (turnRequest.beside) return held;
  const at = holdOf(turnRequest.counter);
  // The second of two sales at one terminal is refused as busy: nobody knows how long the first will take.
  if (at !== undefined && turnRequest.follows === undefined && isSale(at)) return undefined;
  const ahead = line[line.indexOf(ticket) - 1];
  if (ahead !== undefined) return { released: ahead.left.promise, is: 'what came before' };
  if (at !== undefined) return { released: at.ended, is: isEnded(at) ? 'the card of the last sale' : 'another sale' };
  return held;
};

const isEnded = ({ sale }: TerminalHold): boolean => sale.at === 'ended';
/** A sale in progress with a customer. What the terminal does by itself takes only seconds. */
const isSale = ({ sale }: TerminalHold): boolean => sale.at !== 'ended' && sale.intent.follows?.at?.how !== 'reverse';

type TurnWait = { ticket: Ticket; clock: Clock; abortSignal: AbortSignal | undefined; ended: AbortSignal };

/** Resolves once the obstacle is gone. */
const waitForObstacle = async (
  { released, is }: Obstacle,
  { ticket, clock, abortSignal, ended }: TurnWait,
): Promise<void> => {
  const stopped = Promise.withResolvers<never>();
  const onGone = (): void =>
    stopped.reject(isFault(abortSignal?.reason) ? abortSignal.reason : new Fault('terminal.busy', { command: is }));
  const onEnd = (): void => stopped.reject(new Fault('till.stopping'));
  const rest = Math.max(0, ticket.since + TURN_MS - clock.monotonic());
  const stop = clock.after(rest, () => stopped.reject(timeoutFault(ticket, is)));
  abortSignal?.addEventListener('abort', onGone);
  ended.addEventListener('abort', onEnd);
  if (abortSignal?.aborted === true) onGone();
  if (ended.aborted) onEnd();
  try {
    await Promise.race([released, stopped.promise]);
  } finally {
    stop();
    abortSignal?.removeEventListener('abort', onGone);
    ended.removeEventListener('abort', onEnd);
  }
  if (ended.aborted) throw new Fault('till.stopping');
};

const timeoutFault = ({ turnRequest: { counter } }: Ticket, is: string): Fault =>
  new Fault('terminal.turn', { counter, what: is, seconds: TURN_MS / 1_000 });
