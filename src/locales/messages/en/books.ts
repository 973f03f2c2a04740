/**
 * What the books and the office say: open items, what stands against a close, the audit list, limits looked back at.
 * What a person can do about an open item comes first; its buttons stand beside these words.
 */
import { teller } from '../../../base/localized-message.ts';

export const itemWords = {
  differs: 'Find out what is true and put it right with the customer, then say what is so, with the evidence.',
  person:
    'Nobody but a person can tell. Look it up where the payment was made, then say what is so, with the evidence.',
  parked:
    'Mend what the note names, then try it again. If nothing mends it, look it up at the gateway, then say what is so.',
  overdue:
    'Ask now. If that does not end it, look it up where the payment was made, see to it there that the customer has the money, and say what is so where you are asked.',
  unknown: 'Ask now. If it cannot wait, look it up at the gateway, then say what is so, with the evidence.',
  terminal: 'Connect the terminal and ask it now. Otherwise it is asked before its next payment.',
  waiting: 'Nothing: it is sent by itself. It can be sent now.',
  behind: 'Nothing: it is sent after what it follows.',
  task: 'Charge it again with the customer’s card, say how it was settled otherwise, or write it off.',
  nextTask: 'Nothing by itself.',
  nextParked: 'Nothing by itself: it was set aside.',
  nextPerson: 'Nothing by itself.',
  newer: 'Start the newer version: it goes on with this sale. Nothing can be done with it here.',
  handedOver: 'See to it that the other till sends it: it was handed over.',
  toDo: '{toDo}.',
} as const;

export type ItemCode = keyof typeof itemWords;
export const tellItem = teller('item', itemWords);
export type ItemIn = typeof itemWords;

/** What stands against a close, in words for a screen: the books' own are for a command line. */

export const closingWords = {
  silent: 'the gateway did not answer for {count} of {of, plural, one {# sale} other {# sales}} in the batch',
  sums: 'the running sums are not those of all sales',
  away: '{why}',
  clock: 'the business day {day} is by the till’s own clock alone',

  notFinished: 'it is not finished',
  offlineNotSent: 'taken offline and not sent yet',
  toGiveBack: 'approved, and still to be given back',
  overdue:
    'to be given back or asked about by itself, and not ended within {minutes, plural, one {# minute} other {# minutes}}: it needs a person',
  gatewaySilent: '{why}',
  gatewayDiffers: '{why}: the till has {till}, the gateway {gateway}',
  holdGone: 'held here, and no longer at the gateway: no charge on it will be approved',
  unknownHere:
    'at the gateway under terminal {terminal}, and not in this till: {count}, of {amounts}. Taken by another till with this id, or by a copy of this one',
  gaveTooMuch: 'more was given back of it than it had',

  send: 'Send it now, under open items.',
  ask: 'Ask what became of it now, under open items. What nobody can tell, a manager says by the evidence.',
  newer: 'Start the newer version of this program: it goes on with this sale. Nothing can be done with it here.',
  checkAgain: 'Check again when the line is back.',
  compare: 'Compare the receipt with the gateway’s payment. Closed as it is, the Z report names it.',
  holdAgain: 'Ask the customer for the card again and take the payment anew; then release this hold.',
  support: 'Call support. The batch can be closed, and its Z report names it.',
} as const;

export type ClosingCode = keyof typeof closingWords;
export const tellClosing = teller('closing', closingWords);
export type ClosingIn = typeof closingWords;

/** The words of the audit list, for a manager. */

export const auditTexts = {
  staffAdded: 'let in {name} as {role}',
  staffPin: 'gave {name} a new PIN',
  staffRemoved: 'lets in {name} no more',
  signedIn: 'signed in',
  staffAdmitted: 'gave the PIN to {may}',
  staffRefused: 'was not let in to {may}: {refused}',
  staffRefusals: 'more refused tries between {from} and {to}: {count}. Wrong PINs among them: {wrong}',
  browserKnown: 'signed in at a browser that shows the names from now on',
  browserForgotten: 'took off the list a browser that {name} had signed in at',
  nobody: 'a name that nobody has',
  pin: 'a wrong PIN',
  locked: 'too many wrong PINs before',
  role: 'the role does not allow it',
  left: 'left',
  leftHand: 'signed out',
  leftIdle: 'locked out: nobody touched the screens for a while',
  leftReplaced: 'left: somebody else signed in at the same screen',
  staffAllowed: 'allowed {asked} to {may}, once',
  whoeverAsked: 'whoever asked',
  limitsChanged: 'changed the offline limits: {changes}',
  limitChange: '{limit}: {before} → {after}',
  limitsMore: '{first}; {rest}',
  limitsKept: 'changed the offline limits',
  limitsApproved: 'changed the offline limits, approved by {approvedBy}: {changes}',
  xReport: 'X report {number} of batch {batch}',
  batchClosing: 'began to close batch {batch}',
  batchForced: 'began to close batch {batch}, over what is open: {reason}',
  batchClosed: 'batch {batch} of terminal {terminalId} is closed',
  saidCharged: 'said of a sale that it was charged. Reason: {reason}. Evidence: {evidence}',
  saidNotCharged: 'said of a sale that it was not charged. Reason: {reason}. Evidence: {evidence}',
  settledOtherwise: 'said that {amount} of an unpaid sale was settled otherwise. Reason: {reason}',
  wroteOff: 'wrote off {amount} of an unpaid sale. Reason: {reason}',
  exported: 'took out unsent sales: {count}, export {id}',
  takenBack: 'took back messages that had been taken out: {count}',
  imported: 'took in the unsent sales of till {from}',
  posKeyMade: 'made a key for the program {name}',
  posKeyForPages: 'made a key for the program {name}, for pages of {origins}',
  posKeyMadeApproved: 'made a key for the program {name}, approved by {approvedBy}',
  posKeyForPagesApproved: 'made a key for the program {name}, for pages of {origins}, approved by {approvedBy}',
  posKeyApproved: 'approved the key of the program {name}',
  posKeyRemoved: 'removed the key of the program {name}',
  paired: 'paired {device} as {counter}',
  unpaired: 'unpaired {counter}',
  testHostSaid: 'said that {device} at {counter} is at its maker’s test host',
  testHostDenied: 'said that {device} at {counter} is at no test host any more',
  simulatedUsed: 'had the till use a simulated terminal',
  configurationImported: 'brought in a configuration that changed {changed}',
  configurationApproved: 'brought in a configuration that changed {changed}, approved by {approvedBy}',
  configurationExported: 'took out the configuration',
  bundleMade: 'made a bundle for support',
  drawerOpened: 'opened the cash drawer',
  othersSaleOpened: 'opened receipt {receipt}, a sale of {of}',
  nobodysSaleOpened: 'opened receipt {receipt}, a sale in nobody’s name',
  othersSalesHeld:
    'opened {count, plural, one {# sale of others} other {# sales of others}} within an hour: for more a manager is asked',
  printerAdded: 'added the printer {printer}',
  printerRemoved: 'removed the printer {printer}',
  downloaded: 'took out {what}',
  reconciled: 'compared the settlement file {file}: {differences, plural, one {# difference} other {# differences}}',
  wentLive: 'took the till live: the live till is in {folder}',
  liveBegun: 'took the till live: this live till began',
  foundLiveRead: 'read that this till was found to be live',
  folderMoved: 'said that the data folder was moved to this machine',
  folderCopied: 'said that the data folder is a copy: its terminals are {terminalIds}',
  plainHttpAllowed: 'allowed payments over plain http to the gateway at {address}',
  plainHttpEnded: 'ended payments over plain http to the gateway at {address}',
  tookOver: 'took over sales from the gateway: {sales}',
  differenceResolved: 'settled a difference in {file}: {choice}. {note}',
} as const;

export type AuditCode = keyof typeof auditTexts;
export const tellAudit = teller('audit', auditTexts);
export type AuditIn = typeof auditTexts;

/** What a look back under other limits rests on, and what it cannot tell. */

export const replayWords = {
  nothing: 'No card met a line that was down, so nothing can be told from these days.',
  more: 'A customer who was refused may have paid otherwise: what would have been taken is not all gained.',
  chipFirst:
    'Some that the chip approved by itself would have gone to the bank at once. They are not counted as refused.',
  unknown: 'Whether the bank, or the chip, would have approved all of them is not known: some were never asked.',
  otherwise: 'Some were refused for the clock or the disk of the till: limits change nothing about that.',
} as const;

export type ReplayCode = keyof typeof replayWords;
export const tellReplay = teller('replay', replayWords);
export type ReplayIn = typeof replayWords;
