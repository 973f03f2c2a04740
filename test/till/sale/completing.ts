/** The chip makes its final decision, online and offline: each event in each state. */
import { never, type Row, type Rows } from './cells.ts';

const notAwaited = never('the card is no longer waited for', 'cardPresented');
const fixed = never('the amount is fixed', 'amountFixed');
const wasRead = never('the card was read', 'cardRead', 'cardNotRead');
const answered = never(
  'the gateway has answered',
  'hostApproved',
  'hostDeclined',
  'hostRefused',
  'hostOtherMode',
  'hostNotReached',
  'hostSilent',
);
const notQueued = never('nothing of it is in the queue', 'reversed', 'forwarded', 'withdrawn', 'nothingToFollow');
const notAtTerminal = never(
  'the gateway authorises it, not the terminal',
  'terminalNoted',
  'terminalUnready',
  'terminalTook',
  'terminalApproved',
  'terminalDeclined',
  'terminalNotBegun',
  'terminalSilent',
  'terminalUnchanged',
  'terminalUnclear',
  'terminalReversed',
);
const notEnded = never('it has not ended', 'personSaid', 'approvedLate', 'cardDataExpired', 'unpaidEnded');
const evidence = {
  ...never('evidence changes nothing', 'asked'),
  ...never('nothing of it is stored', 'movedTo'),
};
const notAskedAnyMore = never(
  'the gateway is no longer asked',
  'hostApproved',
  'hostDeclined',
  'hostRefused',
  'hostOtherMode',
  'hostNotReached',
  'hostSilent',
);

const yes: Row = {
  chipApproved: 'approved approved',
  chipDeclined: 'declined chipRefusedApproval {reversal due} > reverse',
  chipGone: 'declined cardPulledAfterApproval {reversal due} > reverse',
  chipNotAsked: 'approved approved',
  restarted: 'declined restartedAfterApproval {reversal due} > reverse',
  ...notAwaited,
  ...fixed,
  ...wasRead,
  ...never('the gateway has answered: the card is told now', 'cancelAsked'),
  ...answered,
  ...notQueued,
  ...notAtTerminal,
  ...notEnded,
  ...evidence,
};

export const completing: Rows<'completing'> = {
  yes,
  tap: yes,
  no: {
    chipApproved: 'declined declinedByHost',
    chipDeclined: 'declined declinedByHost',
    chipGone: 'declined declinedByHost',
    chipNotAsked: 'declined declinedByHost',
    restarted: 'declined declinedByHost',
    ...notAwaited,
    ...fixed,
    ...wasRead,
    ...never('the gateway has answered: the card is told now', 'cancelAsked'),
    ...answered,
    ...notQueued,
    ...notAtTerminal,
    ...notEnded,
    ...evidence,
  },
  preauthorisation: {
    chipApproved: 'approved held',
    chipDeclined: 'declined chipRefusedApproval {reversal due} > reverse',
    chipGone: 'declined cardPulledAfterApproval {reversal due} > reverse',
    chipNotAsked: 'approved held',
    restarted: 'declined restartedAfterApproval {reversal due} > reverse',
    ...notAwaited,
    ...fixed,
    ...wasRead,
    ...never('the gateway has answered: the card is told now', 'cancelAsked'),
    ...answered,
    ...notQueued,
    ...notAtTerminal,
    ...notEnded,
    ...evidence,
  },
};

export const goingOffline: Rows<'goingOffline'> = {
  chip: {
    chipApproved: 'approved approvedOffline {offline chip} > forward',
    chipDeclined: 'declined declinedByChip',
    chipGone: 'notSent cardPulled',
    chipNotAsked: 'notSent offlineRefused',
    restarted: 'notSent restarted',
    ...notAwaited,
    ...fixed,
    ...wasRead,
    ...never('the card is deciding now', 'cancelAsked'),
    ...notAskedAnyMore,
    ...notQueued,
    ...notAtTerminal,
    ...notEnded,
    ...evidence,
  },
  deferred: {
    chipApproved: 'approved approvedOffline {offline chip} > forward',
    chipDeclined: 'approved takenOffline {offline deferred} > forward',
    chipGone: 'notSent cardPulled',
    chipNotAsked: 'approved takenOffline {offline deferred} > forward',
    restarted: 'notSent restarted',
    ...notAwaited,
    ...fixed,
    ...wasRead,
    ...never('the card is deciding now', 'cancelAsked'),
    ...notAskedAnyMore,
    ...notQueued,
    ...notAtTerminal,
    ...notEnded,
    ...evidence,
  },
  preauthorisation: {
    chipApproved: 'approved heldOffline {offline chip} > forward',
    chipDeclined: 'declined declinedByChip',
    chipGone: 'notSent cardPulled',
    chipNotAsked: 'notSent offlineRefused',
    restarted: 'notSent restarted',
    ...notAwaited,
    ...fixed,
    ...wasRead,
    ...never('the card is deciding now', 'cancelAsked'),
    ...notAskedAnyMore,
    ...notQueued,
    ...notAtTerminal,
    ...notEnded,
    ...evidence,
  },
};
