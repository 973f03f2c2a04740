/** One unresolved sale: what is known, the evidence, what happens next by itself, and what a person can do. */
import type { UnresolvedSale } from '../api/contract/recovery.ts';
import type { LocalizedMessage } from '../base/localized-message.ts';
import { isOverdue } from '../base/open-messages.ts';
import { HANDED_OVER } from '../ledger/handed-over.ts';
import { type Ended, localizedEnding } from '../ledger/outcome.ts';
import { noteMessage, overdueMessage, tellOpen } from '../locales/messages/en/sales.ts';
import type { WaitingMessage } from '../queue/outbox.ts';
import { isOpen, isUnread, type Sale } from '../till/machine/sale.ts';
import type { EvidenceLine } from './evidence-words.ts';

export type OpenCase = {
  readonly sale: Sale;
  readonly state: UnresolvedSale['state'];
  /** What is known, and what it means for the money. */
  readonly known: string;
  readonly evidence: readonly EvidenceLine[];
  /** What happens by itself, and when. */
  readonly next: string;
  /** What a person can do. */
  readonly person: string;
  /** For screens. */
  readonly told: { readonly known: LocalizedMessage; readonly next: LocalizedMessage };
};

export type QueuedMessage = WaitingMessage & { readonly parked?: true };

type Facts = { evidence: readonly EvidenceLine[]; messages: readonly QueuedMessage[]; now: number };

export const openCase = (sale: Sale, { evidence, messages, now }: Facts): OpenCase => {
  const { state, next, person } = situationInTime(sale, messages, now);
  const known = knownOf(sale);
  return { sale, state, person, told: { known, next }, known: known.says, evidence, next: next.says };
};

const knownOf = (sale: Sale): LocalizedMessage => {
  if (sale.at !== 'ended') return tellOpen('noEnding');
  const { says, money } = localizedEnding(sale);
  return tellOpen('known', { says, money });
};

type Situation = Pick<OpenCase, 'state' | 'person'> & { next: LocalizedMessage };

const nothingMessage = tellOpen('nothing');

/** The command with which a person says how the sale ended. */
export const resolveCommand = ({ intent }: Sale): string =>
  `npm run till -- resolve ${intent.receipt} --charged (or --not-charged) --reason TEXT --evidence TEXT --as NAME`;

/** When something that is retried automatically should have ended long ago, a person is called. */
const situationInTime = (sale: Sale, messages: readonly QueuedMessage[], now: number): Situation => {
  const found = situation(sale, messages);
  if (found.state !== 'waiting' || sale.at !== 'ended' || !isOverdueBy(sale, messages, now)) return found;
  return {
    state: 'overdue',
    next: overdueMessage(found.next),
    person: `${tellOpen('overdueToDo').says}. ${found.person}`,
  };
};

const isOverdueBy = (sale: Ended, messages: readonly QueuedMessage[], now: number): boolean => {
  if (sale.intent.by === 'terminal') return isOverdue(sale.intent.at, now);
  return messages.some(({ kind, putAt }) => (kind === 'reversal' || kind === 'repeat') && isOverdue(putAt, now));
};

const situation = (sale: Sale, messages: readonly QueuedMessage[]): Situation => {
  if (!isOpen(sale)) return { state: 'closed', next: nothingMessage, person: 'There is nothing left to do.' };
  if (sale.at !== 'ended') return { state: 'unfinished', next: tellOpen('atStart'), person: 'Nothing yet.' };
  if (isUnread(sale))
    return {
      state: 'person',
      next: tellOpen('newer'),
      person: 'Start the newer version of this program: nothing can be done with it here.',
    };
  if (sale.differs !== undefined)
    return {
      state: 'differs',
      next: nothingMessage,
      person: `Find out what really happened and correct it, then record it: ${resolveCommand(sale)}`,
    };
  if (sale.intent.by === 'terminal') return situationAtTerminal(sale);
  const waiting = messages.find(({ parked }) => parked !== true);
  if (waiting !== undefined) return situationInQueue(sale, waiting);
  const [parked] = messages;
  if (parked === undefined) return situationOutsideQueue(sale);
  if (parked.note === HANDED_OVER)
    return {
      state: 'parked',
      next: tellOpen('sentElsewhere', { why: HANDED_OVER }),
      person:
        'Make sure that the other till sends it. To send it from here after all: npm run till -- journal takeback',
    };
  return {
    state: 'parked',
    next: tellOpen('setAside', { why: parked.note }),
    person: `Fix the problem in the note and ask again: npm run till -- resolve ${sale.intent.receipt}. Or look it up at the gateway and record the result: ${resolveCommand(sale)}`,
  };
};

/** Sealed card data cannot be rebuilt from the journal: somebody deleted its row from the queue. */
const situationOutsideQueue = (sale: Ended): Situation =>
  sale.offline === 'chip' || sale.offline === 'deferred'
    ? {
        state: 'person',
        next: tellOpen('cardDataGone'),
        person:
          'Look it up at the gateway, and have the till’s file examined: somebody changed it. The second copy, if there is one, still has the message.',
      }
    : { state: 'waiting', next: tellOpen('queuedAtStart'), person: 'Nothing yet.' };

const situationAtTerminal = (sale: Ended): Situation =>
  sale.forPerson === true
    ? {
        state: 'person',
        next: nothingMessage,
        person: `Look for it in the terminal’s own journal, then record the result: ${resolveCommand(sale)}`,
      }
    : {
        state: 'waiting',
        next: tellOpen(sale.reversal === 'due' ? 'terminalTold' : 'terminalAsked', {
          device: sale.terminal?.device ?? '',
        }),
        person: `Connect the terminal and ask now: npm run till -- resolve ${sale.intent.receipt}`,
      };

/** An unresolved sale is inquired about before the next sale; stored sales are sent with the queue. */
const situationInQueue = (sale: Ended, { kind, dueAt, attempts, note }: QueuedMessage): Situation => {
  const last = noteMessage(note) ?? tellOpen('noAnswerYet');
  const tried = attempts === 0 ? '' : tellOpen('tried', { count: attempts, last });
  const person = `Ask now: npm run till -- resolve ${sale.intent.receipt}.`;
  return {
    state: 'waiting',
    next: tellOpen(kind, { from: { at: dueAt }, tried }),
    person:
      sale.ending === 'unknown'
        ? `${person} If that cannot wait, look it up and record the result: ${resolveCommand(sale)}`
        : person,
  };
};
