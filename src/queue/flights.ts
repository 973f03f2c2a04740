/** The messages that are under way. Whoever wants one sent joins its flight: none is ever sent twice at once. */
import { type AttemptParts, attempt, type Outcome } from './attempt.ts';
import type { Waiting } from './outbox.ts';

export interface Flights {
  has(id: string): boolean;
  /** Sends it, or joins it where it is under way. Undefined when it no longer waits. */
  send(message: Waiting): Promise<Outcome> | undefined;
  /** Notes several tries in one durable step; gives those that still wait. They are then sent with `sendNoted`. */
  note<T extends Waiting>(messages: readonly T[]): T[];
  sendNoted(message: Waiting): Promise<Outcome>;
}

export const flights = (parts: AttemptParts): Flights => {
  const under = new Map<string, Promise<Outcome>>();
  const sendNoted = (message: Waiting): Promise<Outcome> => {
    const flight = attempt(parts, message).finally(() => under.delete(message.id));
    under.set(message.id, flight);
    return flight;
  };
  return {
    has: (id) => under.has(id),
    sendNoted,
    send(message) {
      const joined = under.get(message.id);
      if (joined !== undefined) return joined;
      return parts.outbox.trying(message.id).has(message.id) ? sendNoted(message) : undefined;
    },
    note(messages) {
      if (messages.length === 0) return [];
      const waiting = parts.outbox.trying(...messages.map(({ id }) => id));
      return messages.filter(({ id }) => waiting.has(id));
    },
  };
};
