/** English texts of the books: open items, what prevents a close, the audit list, and replays of offline limits. */
import { messageFactory } from '../../../base/localized-message.ts';

export const itemWords = {
  differs: 'Find out what really happened and settle it with the customer, then record the result, with the evidence.',
  person:
    'Only a person can find out. Look it up where the payment was made, then record the result, with the evidence.',
  parked:
    'Fix the problem in the note, then try again. If you cannot fix it, look it up at the gateway, then record the result.',
  overdue:
    'Check now. If that does not end it, look it up where the payment was made, make sure there that the customer gets the money, and record the result when you are asked.',
  unknown: 'Check now. If it cannot wait, look it up at the gateway, then record the result, with the evidence.',
  terminal: 'Connect the terminal and check now. Otherwise the till asks it before its next payment.',
  waiting: 'Nothing: the till sends it automatically. You can also send it now.',
  behind: 'Nothing: the till sends it after the payment that it follows.',
  task: 'Charge it again with the customer’s card, record how it was settled in another way, or write it off.',
  nextTask: 'Nothing happens automatically.',
  nextParked: 'Nothing happens automatically: it was set aside.',
  nextPerson: 'Nothing happens automatically.',
  newer: 'Start the newer version: it continues this sale. Nothing can be done about it here.',
  handedOver: 'It was handed over: make sure that the other till sends it.',
  toDo: '{toDo}.',
} as const;

export type ItemCode = keyof typeof itemWords;
export const tellItem = messageFactory('item', itemWords);
export type ItemIn = typeof itemWords;

/** What prevents a close, for screens; the command line has its own texts. */

export const closingWords = {
  silent: 'the gateway did not answer for {count} of {of, plural, one {# sale} other {# sales}} in the batch',
  sums: 'the running totals do not match the sum of all sales',
  away: '{why}',
  clock: 'the business day {day} comes from the till’s own clock only',

  notFinished: 'not finished',
  offlineNotSent: 'taken offline, not sent yet',
  toGiveBack: 'approved, still to be reversed',
  overdue:
    'not ended within {minutes, plural, one {# minute} other {# minutes}}, although the till keeps trying: it needs a person',
  gatewaySilent: '{why}',
  gatewayDiffers: '{why}: the till has {till}, the gateway {gateway}',
  holdGone: 'held here, but no longer at the gateway: it cannot be completed',
  unknownHere:
    'at the gateway under terminal {terminal}, but not in this till: {count}, total {amounts}. Another till with this id, or a copy of this till, made them',
  gaveTooMuch: 'more was refunded than was charged',

  send: 'Send it now, under open items.',
  ask: 'Check its result now, under open items. If neither terminal nor gateway knows it, a manager decides from the evidence.',
  newer: 'Start the newer version of this program: it continues this sale. Nothing can be done about it here.',
  checkAgain: 'Check again when the connection is back.',
  compare: 'Compare the receipt with the gateway’s payment. If you close now, the Z report names it.',
  holdAgain: 'Ask the customer for the card and take the payment again; then release this hold.',
  support: 'Call support. You can close the batch; its Z report names it.',
} as const;

export type ClosingCode = keyof typeof closingWords;
export const tellClosing = messageFactory('closing', closingWords);
export type ClosingIn = typeof closingWords;

/** The audit list: each text follows the name of a person. */

export const auditTexts = {
  staffAdded: 'added {name} ({role})',
  staffPin: 'gave {name} a new PIN',
  staffRemoved: 'removed {name}',
  signedIn: 'signed in',
  staffAdmitted: 'entered the PIN to {may}',
  staffRefused: 'was refused permission to {may}: {refused}',
  staffRefusals: 'more refused attempts between {from} and {to}: {count}. Wrong PINs among them: {wrong}',
  browserKnown: 'signed in at a browser, which shows the names from now on',
  browserForgotten: 'removed from the list a browser where {name} had signed in',
  nobody: 'a name that nobody has',
  pin: 'a wrong PIN',
  locked: 'too many wrong PINs',
  role: 'the role does not allow it',
  left: 'signed out',
  leftHand: 'signed out',
  leftIdle: 'signed out automatically: nobody used the screens for a while',
  leftReplaced: 'signed out: someone else signed in at the same screen',
  staffAllowed: 'allowed {asked} to {may}, once',
  whoeverAsked: 'the person who asked',
  limitsChanged: 'changed the offline limits: {changes}',
  limitChange: '{limit}: {before} → {after}',
  limitsMore: '{first}; {rest}',
  limitsKept: 'changed the offline limits',
  limitsApproved: 'changed the offline limits, approved by {approvedBy}: {changes}',
  xReport: 'X report {number} of batch {batch}',
  batchClosing: 'started to close batch {batch}',
  batchForced: 'started to close batch {batch} with open sales: {reason}',
  batchClosed: 'batch {batch} of terminal {terminalId} was closed',
  saidCharged: 'recorded that a sale was charged. Reason: {reason}. Evidence: {evidence}',
  saidNotCharged: 'recorded that a sale was not charged. Reason: {reason}. Evidence: {evidence}',
  settledOtherwise: 'recorded that {amount} of an unpaid sale was settled in another way. Reason: {reason}',
  wroteOff: 'wrote off {amount} of an unpaid sale. Reason: {reason}',
  exported: 'exported unsent sales: {count}, export {id}',
  takenBack: 'took back exported messages: {count}',
  imported: 'imported the unsent sales of till {from}',
  posKeyMade: 'created a key for the program {name}',
  posKeyForPages: 'created a key for the program {name}, for pages of {origins}',
  posKeyMadeApproved: 'created a key for the program {name}, approved by {approvedBy}',
  posKeyForPagesApproved: 'created a key for the program {name}, for pages of {origins}, approved by {approvedBy}',
  posKeyApproved: 'approved the key of the program {name}',
  posKeyRemoved: 'removed the key of the program {name}',
  paired: 'paired {device} as {counter}',
  unpaired: 'unpaired {counter}',
  testHostSaid: 'confirmed that {device} at {counter} uses its manufacturer’s test host',
  testHostDenied: 'recorded that {device} at {counter} no longer uses a test host',
  simulatedUsed: 'switched the till to a simulated terminal',
  configurationImported: 'imported a configuration that changed {changed}',
  configurationApproved: 'imported a configuration that changed {changed}, approved by {approvedBy}',
  configurationExported: 'exported the configuration',
  bundleMade: 'created a support bundle',
  drawerOpened: 'opened the cash drawer',
  othersSaleOpened: 'opened receipt {receipt}, a sale by {of}',
  nobodysSaleOpened: 'opened receipt {receipt}, a sale without a cashier',
  othersSalesHeld:
    'opened {count, plural, one {# colleague’s sale} other {# colleagues’ sales}} within an hour: for more, a manager’s approval is needed',
  printerAdded: 'added the printer {printer}',
  printerRemoved: 'removed the printer {printer}',
  downloaded: 'downloaded {what}',
  reconciled: 'compared the settlement file {file}: {differences, plural, one {# difference} other {# differences}}',
  wentLive: 'went live: the live till is in {folder}',
  liveBegun: 'went live: this live till was created',
  foundLiveRead: 'read the notice that this till is live',
  folderMoved: 'confirmed that the data folder was moved to this machine',
  folderCopied: 'confirmed that the data folder is a copy: its terminals are now {terminalIds}',
  plainHttpAllowed: 'allowed payments over plain http to the gateway at {address}',
  plainHttpEnded: 'ended payments over plain http to the gateway at {address}',
  tookOver: 'imported sales from the gateway: {sales}',
  differenceResolved: 'resolved a difference in {file}: {choice}. {note}',
} as const;

export type AuditCode = keyof typeof auditTexts;
export const tellAudit = messageFactory('audit', auditTexts);
export type AuditIn = typeof auditTexts;

/** The limits of a replay: a replay counts what other offline limits would have allowed on past days. */

export const replayWords = {
  nothing: 'No card was presented while the connection was down, so these days show nothing.',
  more: 'A refused customer may have paid in another way, so not all of the extra amount is gained.',
  chipFirst:
    'Some sales that the card approved offline would have gone to the bank at once. They are not counted as refused.',
  unknown: 'It is not known whether the bank or the card would have approved all of them: some were never asked.',
  otherwise: 'Some were refused because of the till’s clock or disk: limits do not change that.',
} as const;

export type ReplayCode = keyof typeof replayWords;
export const tellReplay = messageFactory('replay', replayWords);
export type ReplayIn = typeof replayWords;
