/** The words of evidence: what was asked, and what was answered. */
import { teller } from '../base/told.ts';

export const evidenceWords = {
  begun: 'begun: {amount}',
  gateway: 'the gateway',
  terminal: 'the terminal',
  search: '{whom} was asked what it has of this sale: {answer}',
  reversal: '{whom} was asked to take it back: {answer}',
  request: '{whom} was sent the request: {answer}',
  last: '{whom} was asked for its last payment: {answer}',
  noAnswer: '{why}',
  hostApproved: 'the gateway approved: {answer}',
  hostDeclined: 'the gateway declined: {answer}',
  hostOtherMode: 'the gateway answered in the other mode than this till’s: {answer}',
  hostRefused: 'the gateway refused the request: {answer}',
  hostNotReached: 'the request was not sent: {why}',
  hostSilent: 'the request was sent: {why}',
  reversed: 'taken back{answer}',
  notFound: 'the gateway never had it{answer}',
  notApproved: 'the gateway had not approved it{answer}',
  sentApproved: 'sent later, approved: {answer}',
  sentDeclined: 'sent later, declined: {answer}',
  approvedLate: 'asked once more after its ending, the gateway had approved it: {answer}',
  movedTo: 'a test system alone had it: from here on it is sent to {gateway}',
  cardDataExpired: 'not sent within {days} days: its card data was destroyed',
  cancelAsked: 'a cancel was asked for',
  restarted: 'the till was started again',
  terminalApproved: 'the terminal approved {amount}, its receipt {receipt}',
  terminalDeclined: 'the terminal declined: {answer}',
  terminalNotBegun: 'the terminal did not begin: {answer}',
  terminalSilent: 'the terminal was lost: {why}',
  terminalUnchanged: 'the terminal’s last payment is still the one before',
  terminalUnclear: 'the terminal cannot tell: {why}',
  terminalReversed: 'the terminal took it back',
  terminalKeeps: 'the terminal does not take it back: {why}',
  somebodySaidMade: 'a person said that it was made',
  somebodySaidNot: 'a person said that it was not made',
  saidMade: '{who} ({role}) said that it was made. Reason: {reason}. Evidence: {evidence}',
  saidNot: '{who} ({role}) said that it was not made. Reason: {reason}. Evidence: {evidence}',
} as const;

export type EvidenceCode = keyof typeof evidenceWords;
export const tellEvidence = teller('evidence', evidenceWords);
