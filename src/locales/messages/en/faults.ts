/**
 * English is what the till itself says. Here stand only those faults whose own words speak to the command line; what
 * happened and what it means for the money are the till's words, what to do next is for a screen.
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
    'Wait until the virus scanner, the backup or the file sync is done with it, or end it. Then try again.',
  ),
  'folder.unusable': row(
    'The folder {path} cannot be used: {why}',
    unchanged,
    'Have the folder’s permissions changed, or use another.',
  ),
  'command.malformed': row('{why}', nothing, correct),
  'request.malformed': row('Something is not filled in as it has to be: {why}', undone, correct),
  'sale.likely': row(
    'This amount may have been charged already: {amount}, receipt {receipts}, has no known ending yet',
    'The new sale was not begun. What went before may have been charged.',
    'Ask whether it is the same customer; if so, wait for that ending. If it is another customer, confirm that.',
  ),
  'terminal.unpaired': row(
    'No terminal is known to this till',
    nothing,
    'Find and pair one on the technician’s pages, under “Pair”.',
  ),
  'terminal.protocolMissing': row(
    'The address {address} names no protocol, and nothing was sent there',
    nothing,
    'Make sure that a card terminal is there, then have its protocol found out: on the technician’s pages, under “Pair”.',
  ),
  'terminal.other': row(
    'Another terminal answers at {address}: serial number {serial}, and this till is paired with {paired}',
    nothing,
    'Plug the paired one in, or pair this one.',
  ),
  'terminal.simulated': row(
    'The terminal {model} is simulated, and this till is live',
    nothing,
    'Pair a real terminal. Practise on a simulated one in test mode.',
  ),
  'terminal.real': row(
    'The terminal {model} asks its bank itself, and this till is in test mode: it would charge real cards',
    nothing,
    'Go live to sell on it. If it is at its maker’s test host, a manager says so on the technician’s pages.',
  ),
  'terminal.notFound': row(
    'No terminal answered: {why}',
    unchanged,
    'Switch the terminal on, check the cable, then look again.',
  ),
  'pairing.oneTill': row(
    '{title} terminals belong to one till each, and nobody said that this one does',
    'With a second register on it, a payment could be booked twice, or another customer’s be taken back.',
    'Make sure that no other till or register sells on it, and tick the box for it before you pair.',
  ),
  'pairing.salesOpen': row(
    'Terminal {terminalId} still has {count, plural, one {# sale} other {# sales}} open: {receipts}',
    'Those sales keep terminal id {terminalId}. The till goes on asking the gateway about them.',
    'Bring them to their end first. To change terminals all the same, tick the box for it before you pair.',
  ),
  'gateway.plain': row(
    'The way to the gateway at {url} is not encrypted: it is plain http over a network that anybody may be in',
    'Nothing was charged, and neither a payment nor the token is sent there.',
    'A technician sets the gateway’s https address in the configuration.',
  ),
  'gateway.plainUnallowed': row(
    'The way to the gateway at {url} is not encrypted: whoever is in that network can read tokens and payments',
    'Nothing was charged, and neither a payment nor the token is sent there.',
    'A technician sets the gateway’s https address in the configuration. If it has none, a manager can allow this address: the bar over the screens leads to the page.',
  ),
  'machine.other': row(
    'The data folder of this till belongs to another machine',
    'Nothing was charged, and nothing that waits is sent from here.',
    'A manager says whether the folder was moved here or is a copy: the bar over the screens leads to the page. A till whose machine was given a name needs that name at each start.',
  ),
  'machine.behind': row(
    'The gateway knows sales of this till’s terminal number that its data folder does not: {count}',
    'Nothing was charged now, and nothing that waits is sent from here.',
    'If the folder is an older copy, a manager takes over what the gateway knows: the bar over the screens leads to the page. If another till sells under the same number, take nothing over: a technician gives this one a terminal number of its own.',
  ),
  'tape.malformed': row(
    '{file} is no recording of a terminal: line {line}: {why}',
    unchanged,
    'Give the file of a recording.',
  ),
  'journal.corrupt': row(
    'Journal entry {entry} fails its check: {why}',
    'Nothing is changed or repaired. What happened before entry {entry} can be trusted.',
    'Keep the folder {data} and call support.',
  ),
  'journal.unreadable': row(
    'The journal in {data} is damaged: {why}',
    'Nothing is changed or repaired. What can still be read is kept.',
    'Keep the folder {data} and call support.',
  ),
  'secrets.sealed': row(
    '{file} lies under a key that this machine’s key store holds',
    unchanged,
    'Open the till’s own window.',
  ),
  'till.unrecorded': row(
    'Sale {sale} could not be written down to its end: {why}',
    'It may have been charged. The till finds out by itself when it can write again.',
    'Free disk space or check the disk. Look at this sale before charging again.',
  ),
  'till.gone': row(
    'The till went away before it told how this ended: {why}',
    'It may have been charged. The till finds out by itself once it is started again.',
    'Start the till. Look at the last sales before charging again.',
  ),
  'till.nothingLeft': row(
    'Nothing is left to give back on receipt {receipt}: {why}',
    'Nothing was given back.',
    seeSale,
  ),
  'till.nothingOpen': row('Receipt {receipt} does not wait for a person', 'It stays as it is.', seeSale),
  'unpaid.none': row('Nothing of receipt {receipt} is unpaid any more, or ever was', 'It stays as it is.', seeSale),
  'till.cannotFollow': row(
    'Receipt {receipt} cannot be followed by {operation}: {why}',
    'Nothing was moved. Receipt {receipt} stands as it was.',
    seeSale,
  ),
  'staff.nobody': row('Nobody is known at this till yet', unchanged, 'Add the first manager on the sign-in page.'),
  'staff.needed': row('Somebody has to answer for this: {what}', undone, 'Sign in by name and try again.'),
  'staff.unknown': row('Nobody called {name} is known here', unchanged, 'See under “Staff” who is.'),
  'staff.firstManager': row('The first person of a till must be a manager', unchanged, 'Add a manager first.'),
  'queue.nothingWaits': row(
    'Nothing of receipt {receipt} waits to be sent',
    'Nothing was sent.',
    'See under “Open items” what waits.',
  ),
  'bill.none': row(
    'Receipt {receipt} is of no bill that several payments pay',
    nothing,
    'Name a receipt of the bill, or sell as usual.',
  ),
  'books.nothingToClose': row(
    'There is nothing to close: no sale was begun since the last close',
    unchanged,
    'Look at the closed batches.',
  ),
  'books.notFound': row('There is no batch {batch} on this till', unchanged, 'Look at the batches.'),
  'books.openMoney': row(
    'The batch cannot be closed: {count, plural, one {# of its sales is} other {# of its sales are}} not at an end, {amounts}',
    'What they mean for the money is not known or not sent yet. Nothing was closed.',
    'Settle each as named; or close all the same, with a reason.',
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
