/**
 * The English screen texts of the faults whose own advice is for the command line. What happened and what it means for
 * the money are the same as in the fault table; what to do next is for a screen.
 */

import type { faults as tillFaults } from '../../../base/faults.ts';
import type { MessageCatalogue } from '../../translate.ts';
import type { WithoutCommonMoney } from './reasons.ts';

const correct = 'Correct it and try again.';
const seeSale = 'Look at the sale.';

const faults = {
  'file.held': {
    next: 'Wait until the virus scanner, the backup or the file sync has finished with it, or stop that program. Then try again.',
  },
  'folder.unusable': { next: 'Have the folder’s permissions changed, or use another folder.' },
  'command.malformed': { next: correct },
  'request.malformed': { says: 'The input is not valid: {why}', next: correct },
  'sale.likely': {
    next: 'Ask whether it is the same customer; if so, wait for that result. If it is another customer, confirm that.',
  },
  'terminal.unpaired': { next: 'Find and pair one on the technician’s pages, under “Pair”.' },
  'terminal.protocolMissing': {
    next: 'Make sure that a card terminal is there, then detect its protocol on the technician’s pages, under “Pair”.',
  },
  'terminal.other': { next: 'Connect the paired terminal, or pair this one.' },
  'terminal.simulated': { next: 'Pair a real terminal. Practise on a simulated one in test mode.' },
  'terminal.real': {
    next: 'Go live to sell on it. If it uses its manufacturer’s test host, a manager confirms that on the technician’s pages.',
  },
  'terminal.notFound': { next: 'Switch the terminal on, check the cable, then search again.' },
  'pairing.oneTill': {
    next: 'Make sure that no other till or register uses it, and tick the box for it before you pair.',
  },
  'pairing.salesOpen': { next: 'Finish them first. To change terminals anyway, tick the box for it before you pair.' },
  'gateway.plain': { next: 'A technician sets the gateway’s https address in the configuration.' },
  'gateway.plainUnallowed': {
    next: 'A technician sets the gateway’s https address in the configuration. If it has none, a manager can allow this address on the page that the bar above the screens opens.',
  },
  'machine.other': {
    next: 'A manager decides whether the folder was moved here or is a copy, on the page that the bar above the screens opens. If the till’s machine was set by name, give that name at each start.',
  },
  'machine.behind': {
    next: 'If the folder is an older copy, a manager imports these sales from the gateway, on the page that the bar above the screens opens. If another till sells under the same number, import nothing: a technician gives this till its own terminal number.',
  },
  'tape.malformed': { next: 'Choose the file of a recording.' },
  'journal.corrupt': { next: 'Keep the folder {data} and call support.' },
  'journal.unreadable': { next: 'Keep the folder {data} and call support.' },
  'secrets.sealed': { next: 'Open the till’s own window.' },
  'till.unrecorded': { next: 'Free disk space or check the disk. Look at this sale before you charge again.' },
  'till.gone': { next: 'Start the till. Look at the last sales before you charge again.' },
  'till.nothingLeft': { next: seeSale },
  'till.nothingOpen': { next: seeSale },
  'unpaid.none': { next: seeSale },
  'till.cannotFollow': { next: seeSale },
  'staff.nobody': { next: 'Add the first manager on the sign-in page.' },
  'staff.needed': {
    says: 'This needs the name of a responsible person: {what}',
    next: 'Sign in by name and try again.',
  },
  'staff.unknown': { next: 'See the list under “Staff”.' },
  'staff.firstManager': { next: 'Add a manager first.' },
  'queue.nothingWaits': { next: 'See the queue under “Open items”.' },
  'bill.none': { next: 'Name a receipt of the bill, or sell as usual.' },
  'books.nothingToClose': { next: 'Look at the closed batches.' },
  'books.notFound': { next: 'Look at the batches.' },
  'books.openMoney': { next: 'Settle each one as listed, or close anyway with a reason.' },
  'books.overrideMalformed': { next: 'Sign in by name and give a reason.' },
  'posKey.unknown': { next: 'Look at the list of keys.' },
} as const;

export const english: MessageCatalogue = { reasons: {}, faults };

/** Faults that no screen shows: of the gateway, the command line, and the start of the till. */
export type FaultOffScreens =
  | Extract<keyof typeof tillFaults, `${AreaOffScreens}.${string}`>
  | 'gateway.port'
  | 'gateway.configuration'
  | 'gateway.stopping'
  | 'gateway.busy'
  | 'gateway.state'
  | 'settlement.early'
  | 'settlement.unsent'
  | 'journal.missing'
  | 'staff.pinMissing'
  | 'secrets.tillRuns'
  | 'secrets.wrongCode'
  | 'posKey.approvalNeeded'
  | 'till.unreachable'
  | 'till.notRunning';
type AreaOffScreens =
  | 'boot'
  | 'bundle'
  | 'chargebacks'
  | 'export'
  | 'log'
  | 'schedule'
  | 'screens'
  | 'vault'
  | 'wallet'
  | 'widget';

/** The till’s, with what the screens say instead. */
type TillFaults = {
  readonly [Code in Exclude<
    keyof typeof tillFaults,
    FaultOffScreens | keyof ElseThanHere
  >]: Code extends keyof typeof faults
    ? Omit<(typeof tillFaults)[Code], keyof (typeof faults)[Code]> & (typeof faults)[Code]
    : (typeof tillFaults)[Code];
};
/** The facts that the screens leave out are internal names of the program. */
type ElseThanHere = {
  'staff.notAllowed': { says: '{name}'; next: '' };
  'printer.none': { says: ''; money: ''; next: '' };
  /** The page's own: the till did not answer at all. */
  'till.away': { says: ''; money: ''; next: '' };
};

export type FaultsIn = WithoutCommonMoney<TillFaults> & ElseThanHere;
