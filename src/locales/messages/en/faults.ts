/**
 * The English screen texts of the faults whose own advice is for the command line. What happened and what it means for
 * the money are the same as in the fault table; what to do next is for a screen.
 */

import type { faults as tillFaults } from '../../../base/faults.ts';
import type { MessageCatalogue } from '../../translate.ts';
import { row } from '../../translation.ts';

const nothing = 'Nothing was charged.';
const unchanged = 'Nothing was changed.';
const undone = 'Nothing was done.';
const correct = 'Correct it and try again.';
const seeSale = 'Look at the sale.';

const faults = {
  'file.held': row(
    'Another program has {file} open, so it could not be written',
    unchanged,
    'Wait until the virus scanner, the backup or the file sync has finished with it, or stop that program. Then try again.',
  ),
  'folder.unusable': row(
    'The folder {path} cannot be used: {why}',
    unchanged,
    'Have the folder’s permissions changed, or use another folder.',
  ),
  'command.malformed': row('{why}', nothing, correct),
  'request.malformed': row('The input is not valid: {why}', undone, correct),
  'sale.likely': row(
    'This amount may already have been charged: the result of {amount}, receipt {receipts}, is not known yet',
    'The new sale was not started. The earlier one may have been charged.',
    'Ask whether it is the same customer; if so, wait for that result. If it is another customer, confirm that.',
  ),
  'terminal.unpaired': row(
    'No terminal is paired with this till',
    nothing,
    'Find and pair one on the technician’s pages, under “Pair”.',
  ),
  'terminal.protocolMissing': row(
    'The address {address} names no protocol, so nothing was sent to it',
    nothing,
    'Make sure that a card terminal is there, then detect its protocol on the technician’s pages, under “Pair”.',
  ),
  'terminal.other': row(
    'Another terminal answers at {address}: serial number {serial}, and this till is paired with {paired}',
    nothing,
    'Connect the paired terminal, or pair this one.',
  ),
  'terminal.simulated': row(
    'The terminal {model} is simulated, and this till is live',
    nothing,
    'Pair a real terminal. Practise on a simulated one in test mode.',
  ),
  'terminal.real': row(
    'The terminal {model} contacts its bank itself, and this till is in test mode: it would charge real cards',
    nothing,
    'Go live to sell on it. If it uses its manufacturer’s test host, a manager confirms that on the technician’s pages.',
  ),
  'terminal.notFound': row(
    'No terminal answered: {why}',
    unchanged,
    'Switch the terminal on, check the cable, then search again.',
  ),
  'pairing.oneTill': row(
    'A {title} terminal must belong to one till only, and nobody has confirmed that for this one',
    'With a second register on it, a payment could be booked twice, or the wrong customer’s payment reversed.',
    'Make sure that no other till or register uses it, and tick the box for it before you pair.',
  ),
  'pairing.salesOpen': row(
    'Terminal {terminalId} still has {count, plural, one {# sale} other {# sales}} open: {receipts}',
    'Those sales keep terminal id {terminalId}. The till continues to ask the gateway about them.',
    'Finish them first. To change terminals anyway, tick the box for it before you pair.',
  ),
  'gateway.plain': row(
    'The connection to the gateway at {url} is not encrypted: it uses plain http over a public network',
    'Nothing was charged. The till sends neither payments nor the token there.',
    'A technician sets the gateway’s https address in the configuration.',
  ),
  'gateway.plainUnallowed': row(
    'The connection to the gateway at {url} is not encrypted: anyone in that network can read tokens and payments',
    'Nothing was charged. The till sends neither payments nor the token there.',
    'A technician sets the gateway’s https address in the configuration. If it has none, a manager can allow this address on the page that the bar above the screens opens.',
  ),
  'machine.other': row(
    'The data folder of this till belongs to another machine',
    'Nothing was charged. The till sends no waiting messages from here.',
    'A manager decides whether the folder was moved here or is a copy, on the page that the bar above the screens opens. If the till’s machine was set by name, give that name at each start.',
  ),
  'machine.behind': row(
    'The gateway has sales under this till’s terminal number that are not in its data folder: {count}',
    'Nothing was charged now. The till sends no waiting messages from here.',
    'If the folder is an older copy, a manager imports these sales from the gateway, on the page that the bar above the screens opens. If another till sells under the same number, import nothing: a technician gives this till its own terminal number.',
  ),
  'tape.malformed': row(
    '{file} is not a recording of a terminal: line {line}: {why}',
    unchanged,
    'Choose the file of a recording.',
  ),
  'journal.corrupt': row(
    'Journal entry {entry} fails its check: {why}',
    'Nothing is changed or repaired. The entries before {entry} can be trusted.',
    'Keep the folder {data} and call support.',
  ),
  'journal.unreadable': row(
    'The journal in {data} is damaged: {why}',
    'Nothing is changed or repaired. What can still be read is kept.',
    'Keep the folder {data} and call support.',
  ),
  'secrets.sealed': row(
    '{file} is encrypted with a key from this machine’s key store',
    unchanged,
    'Open the till’s own window.',
  ),
  'till.unrecorded': row(
    'The end of sale {sale} could not be recorded: {why}',
    'The customer may have been charged. The till checks automatically when it can write again.',
    'Free disk space or check the disk. Look at this sale before you charge again.',
  ),
  'till.gone': row(
    'The till stopped before it reported how this ended: {why}',
    'The customer may have been charged. The till checks automatically once it is started again.',
    'Start the till. Look at the last sales before you charge again.',
  ),
  'till.nothingLeft': row('Nothing is left to refund on receipt {receipt}: {why}', 'Nothing was refunded.', seeSale),
  'till.nothingOpen': row('Receipt {receipt} needs no decision by a person', 'It is unchanged.', seeSale),
  'unpaid.none': row('Nothing on receipt {receipt} is unpaid', 'It is unchanged.', seeSale),
  'till.cannotFollow': row(
    'Receipt {receipt} cannot be followed by {operation}: {why}',
    'No money was moved for receipt {receipt}.',
    seeSale,
  ),
  'staff.nobody': row(
    'No staff have been added at this till yet',
    unchanged,
    'Add the first manager on the sign-in page.',
  ),
  'staff.needed': row('This needs the name of a responsible person: {what}', undone, 'Sign in by name and try again.'),
  'staff.unknown': row('There is no person called {name} here', unchanged, 'See the list under “Staff”.'),
  'staff.firstManager': row('The first person of a till must be a manager', unchanged, 'Add a manager first.'),
  'queue.nothingWaits': row(
    'Nothing on receipt {receipt} is waiting to be sent',
    'Nothing was sent.',
    'See the queue under “Open items”.',
  ),
  'bill.none': row(
    'Receipt {receipt} does not belong to a split bill',
    nothing,
    'Name a receipt of the bill, or sell as usual.',
  ),
  'books.nothingToClose': row(
    'There is nothing to close: no sale was started since the last close',
    unchanged,
    'Look at the closed batches.',
  ),
  'books.notFound': row('There is no batch {batch} on this till', unchanged, 'Look at the batches.'),
  'books.openMoney': row(
    'The batch cannot be closed: {count, plural, one {# of its sales has} other {# of its sales have}} not ended, {amounts}',
    'Their result is not known, or they have not been sent yet. Nothing was closed.',
    'Settle each one as listed, or close anyway with a reason.',
  ),
  'books.overrideMalformed': row(
    'The override is not complete: {why}',
    'Nothing was closed.',
    'Sign in by name and give a reason.',
  ),
  'posKey.unknown': row('There is no key for {name}', unchanged, 'Look at the list of keys.'),
};

export const english: MessageCatalogue = { reasons: {}, faults };

/** Faults that no screen shows: of the gateway, the command line, and the start of the till. */
export type FaultOffScreens =
  | 'gateway.port'
  | 'gateway.configuration'
  | 'gateway.stopping'
  | 'gateway.busy'
  | 'gateway.state'
  | 'vault.damaged'
  | 'vault.unwritable'
  | 'vault.busy'
  | 'vault.keyGiven'
  | 'vault.keyUnknown'
  | 'vault.foreign'
  | 'vault.broken'
  | 'vault.refused'
  | 'wallet.refused'
  | 'widget.missing'
  | 'schedule.aside'
  | 'settlement.early'
  | 'settlement.unsent'
  | 'chargebacks.unreadable'
  | 'log.unwritable'
  | 'export.malformed'
  | 'export.version'
  | 'export.unproven'
  | 'export.forged'
  | 'export.closed'
  | 'export.newer'
  | 'export.weak'
  | 'export.onePerson'
  | 'export.nothing'
  | 'export.unwritable'
  | 'export.own'
  | 'export.known'
  | 'export.otherGateway'
  | 'export.otherMode'
  | 'export.noneOut'
  | 'journal.missing'
  | 'bundle.cardData'
  | 'bundle.unwritable'
  | 'staff.pinMissing'
  | 'secrets.tillRuns'
  | 'secrets.wrongCode'
  | 'posKey.approvalNeeded'
  | 'screens.missing'
  | 'screens.port'
  | 'till.unreachable'
  | 'till.notRunning'
  | 'boot.refused'
  | 'boot.share';

type TillFaults = Omit<typeof tillFaults, FaultOffScreens | keyof typeof faults | 'staff.notAllowed' | 'printer.none'>;
/** What the screens leave out are names from inside the program. */
type ElseThanHere = {
  'staff.notAllowed': { says: '{name}'; money: ''; next: '' };
  'printer.none': { says: ''; money: ''; next: '' };
  /** The page's own: the till did not answer at all. */
  'till.away': { says: ''; money: ''; next: '' };
};

export type FaultsIn = TillFaults & Omit<typeof faults, keyof ElseThanHere> & ElseThanHere;
