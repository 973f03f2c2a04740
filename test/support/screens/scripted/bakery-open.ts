/** Open items of each kind, as in a bakery with a bad line. */
import type { OpenItem } from '../../../../src/api/contract/books.ts';
import { AT, EUR } from './bakery.ts';

type Row = Pick<OpenItem, 'receipt' | 'kind' | 'state' | 'known' | 'next' | 'person' | 'why' | 'actions'> & {
  amount: string;
  minutesAgo: number;
};

const rows: Row[] = [
  {
    ...{ receipt: 17417, kind: 'unknown', state: 'unknown', amount: '64.00', minutesAgo: 21 },
    known: 'The gateway did not answer. The customer may have been charged.',
    next: 'The till asks the gateway again, and reverses any approval.',
    person: 'Check now. If that cannot wait, look it up at the gateway and record how it ended.',
    why: 'no answer within 30 s',
    actions: ['askNow', 'sayCharged', 'sayNotCharged'],
  },
  {
    ...{ receipt: 17398, kind: 'person', state: 'person', amount: '18.20', minutesAgo: 95 },
    known: 'The terminal was lost before it answered, and does not remember the payment.',
    next: 'Nothing happens automatically.',
    person: 'Look for it in the terminal’s own journal, then record how it ended.',
    why: 'the terminal has no record of it',
    actions: ['askNow', 'sayCharged', 'sayNotCharged'],
  },
  {
    ...{ receipt: 17355, kind: 'differs', state: 'person', amount: '12.50', minutesAgo: 300 },
    known: 'It was recorded as not charged, and the gateway now reports it as approved.',
    next: 'Nothing happens automatically.',
    person: 'Find out what really happened and correct it, then record it.',
    why: 'recorded as not made, but: approved at 13:10',
    actions: ['sayCharged', 'sayNotCharged'],
  },
  {
    ...{ receipt: 17371, kind: 'parked', state: 'person', amount: '9.90', minutesAgo: 240 },
    known: 'Taken offline. The gateway refused it as malformed.',
    next: 'Nothing happens automatically: it was set aside.',
    person: 'Correct the merchant account’s number in the configuration, then try again.',
    why: '600.200.500 Invalid payment data',
    actions: ['retry'],
  },
  {
    ...{ receipt: 17401, kind: 'terminal', state: 'unknown', amount: '31.40', minutesAgo: 80 },
    known: 'The terminal contacts its bank itself and was disconnected.',
    next: 'The till asks the terminal before its next payment.',
    person: 'Connect the terminal and ask now.',
    why: 'checked before the next sale at T2',
    actions: ['askNow'],
  },
  {
    ...{ receipt: 17290, kind: 'task', state: 'person', amount: '22.00', minutesAgo: 1500 },
    known: 'Taken offline. The bank declined it afterwards.',
    next: 'Nothing happens automatically.',
    person: 'Can be tried again with the card before 20 December, attempts left this month: 13.',
    why: '800.100.155 Insufficient funds',
    actions: ['chargeAgain', 'settleOtherwise', 'writeOff'],
  },
  {
    ...{ receipt: 17410, kind: 'waiting', state: 'offline', amount: '14.30', minutesAgo: 40 },
    known: 'Approved by the chip while there was no connection.',
    next: 'From 18:15 on, the till sends it to the gateway.',
    person: 'Nothing. Send it now if you do not want to wait.',
    why: 'the gateway could not be reached',
    actions: ['sendNow'],
  },
  {
    ...{ receipt: 17411, kind: 'behind', state: 'offline', amount: '-14.30', minutesAgo: 38 },
    known: 'A refund of receipt 17410.',
    next: 'The till sends it once receipt 17410 has been answered.',
    person: 'Nothing.',
    why: 'after receipt 017410',
    actions: ['sendNow'],
  },
];

export const openItems = (): OpenItem[] =>
  rows.map(({ amount, minutesAgo, ...row }) => {
    const at = AT - minutesAgo * 60_000;
    return {
      ...row,
      sale: {
        ...{ id: `sale-${row.receipt}`, receipt: row.receipt, at, amount: EUR(amount), state: row.state },
        operation: amount.startsWith('-') ? ('refund' as const) : ('sale' as const),
        ending: row.state === 'unknown' ? ('unknown' as const) : ('approved' as const),
        ...{ last4: '4242', brand: 'VISA', entryMode: 'ICC', cashier: 'Anna', counter: 'T1' },
      },
      missing: row.kind === 'task' ? EUR(amount) : undefined,
      tries: row.kind === 'unknown' ? 4 : 0,
      nextAt: row.kind === 'unknown' ? AT + 120_000 : undefined,
      evidence: [
        { at, entry: 90_211, words: 'The sale was started' },
        { at: at + 4_000, entry: 90_214, words: 'The card was read: chip, ending in 4242' },
        { at: at + 9_000, entry: 90_219, words: row.known },
      ],
    };
  });
