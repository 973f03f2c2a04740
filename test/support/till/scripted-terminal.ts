/** A simulated card terminal: cards, chips and faults as the caller decides. */
import type { CardData, ChipVerdict, ReadOutcome, Terminal } from '../../../drivers/terminal.ts';
import { type Clock, pause } from '../../../src/base/clock.ts';
import { Fault } from '../../../src/base/fault.ts';

export type Behaviour = {
  card(): CardData;
  /** The kind of the first cryptogram, or why no card was read. */
  read(): ReadOutcome['kind'] | 'fault';
  /** The card's reaction to the host's answer. */
  complete(kind: 'approved' | 'declined' | 'unableToGoOnline'): ChipVerdict['kind'] | 'fault';
  takesMs(): number;
  /** After how long a card is inserted before the amount is known, ms. If absent, the device cannot tell. */
  presentedAfterMs?: () => number;
  /** Whether the line has broken since the last answer: the next request fails. */
  isLost?: () => boolean;
};

export const scriptedTerminal = (clock: Clock, behaviour: Behaviour): Terminal => {
  let cancelled = false;
  let stopWaiting = () => {};
  const lostFault = () => new Fault('link.lost', { port: 'twin', why: 'as told' });
  return {
    info: async () => ({ model: 'TWIN', serial: '1', firmware: '1' }),
    keys: async () => [],
    health: async () => ({ ok: true, problems: [] }),
    async echo() {
      if (behaviour.isLost?.()) throw lostFault();
    },
    ...(behaviour.presentedAfterMs && {
      async present(withinMs, notify) {
        cancelled = false;
        const isThere = await new Promise<boolean>((resolve) => {
          const timeout = clock.after(withinMs, () => resolve(false));
          const presented = clock.after(behaviour.presentedAfterMs?.() ?? withinMs, () => resolve(true));
          stopWaiting = () => {
            timeout();
            presented();
            resolve(false);
          };
        });
        if (isThere) notify('cardInserted');
        return isThere;
      },
    }),
    async read(_request, notify) {
      cancelled = false;
      if (behaviour.isLost?.()) throw lostFault();
      notify('presentCard');
      await pause(clock, behaviour.takesMs());
      if (cancelled) return { kind: 'notRead', why: 'cancelledByTill' };
      const kind = behaviour.read();
      if (kind === 'fault') throw lostFault();
      return kind === 'notRead' ? { kind, why: 'cancelledByCustomer' } : { kind, card: copyOf(behaviour.card()) };
    },
    async complete({ kind }) {
      await pause(clock, behaviour.takesMs());
      const verdict = behaviour.complete(kind);
      if (verdict === 'fault') throw lostFault();
      return verdict === 'none' || verdict === 'gone' ? { kind: verdict } : { kind: verdict, icc: '9F270140' };
    },
    async cancel() {
      cancelled = true;
      stopWaiting();
    },
    show: async () => {},
    waitForRemoval: async () => true,
    close: async () => {},
  };
};

/** Separate bytes for each card that is read, because the receiver overwrites them. */
const copyOf = (card: CardData): CardData => ({
  ...card,
  sred: card.sred.map((each) => ({ ...each, data: each.data.slice() })),
  ...(card.pin && { pin: { ...card.pin, data: card.pin.data.slice() } }),
});
