/** Until a card was read: each event in each state. */
import { never, type Rows } from './cells.ts';

const notRead = never('no card is read before the amount is known', 'cardRead', 'cardNotRead');
const noRequest = never(
  'no request was sent',
  'hostApproved',
  'hostDeclined',
  'hostRefused',
  'hostOtherMode',
  'hostNotReached',
  'hostSilent',
);
const noLastWord = never(
  'the card was not given the final decision',
  'chipApproved',
  'chipDeclined',
  'chipGone',
  'chipNotAsked',
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
const underWay = never('it has not ended', 'personSaid', 'approvedLate', 'cardDataExpired', 'unpaidEnded');
const evidence = {
  ...never('evidence changes nothing', 'asked'),
  ...never('nothing of it is stored', 'movedTo'),
};
const notAwaited = never('the card is no longer waited for', 'cardPresented');
const fixed = never('the amount is fixed', 'amountFixed');

export const awaitingAmount: Rows<'awaitingAmount'> = {
  nothing: {
    cardPresented: 'awaitingAmount {presented}',
    amountFixed: 'presenting >  > readCard',
    cancelAsked: 'notSent cancelledByTill >  > cancelCard',
    restarted: 'notSent restarted',
    ...notRead,
    ...noRequest,
    ...noLastWord,
    ...notQueued,
    ...notAtTerminal,
    ...underWay,
    ...evidence,
  },
  presented: {
    amountFixed: 'presenting >  > readCard',
    cancelAsked: 'notSent cancelledByTill >  > cancelCard',
    restarted: 'notSent restarted',
    ...never('it is already known', 'cardPresented'),
    ...notRead,
    ...noRequest,
    ...noLastWord,
    ...notQueued,
    ...notAtTerminal,
    ...underWay,
    ...evidence,
  },
};

export const presenting: Rows<'presenting'> = {
  sale: {
    cardRead: {
      ARQC: 'authorising >  > authorise',
      TC: 'approved approvedOffline {offline chip} > forward',
      'TC, over limit': 'authorising >  > authorise',
      AAC: 'declined declinedByChip',
    },
    cardNotRead: { 'in time': 'notSent timedOut', pulled: 'notSent cardPulled' },
    cancelAsked: 'presenting {cancelled} >  > cancelCard',
    restarted: 'notSent restarted',
    ...notAwaited,
    ...fixed,
    ...noRequest,
    ...noLastWord,
    ...notQueued,
    ...notAtTerminal,
    ...underWay,
    ...evidence,
  },
  cancelled: {
    cardRead: 'notSent cancelledByTill >  > releaseCard',
    cardNotRead: 'notSent cancelledByTill',
    restarted: 'notSent restarted',
    ...notAwaited,
    ...fixed,
    ...never('it was already requested', 'cancelAsked'),
    ...noRequest,
    ...noLastWord,
    ...notQueued,
    ...notAtTerminal,
    ...underWay,
    ...evidence,
  },
  credit: {
    cardRead: 'authorising >  > authorise',
    cardNotRead: { 'in time': 'notSent timedOut', pulled: 'notSent cardPulled' },
    cancelAsked: 'presenting {cancelled} >  > cancelCard',
    restarted: 'notSent restarted',
    ...notAwaited,
    ...fixed,
    ...noRequest,
    ...noLastWord,
    ...notQueued,
    ...notAtTerminal,
    ...underWay,
    ...evidence,
  },
  preauthorisation: {
    cardRead: {
      ARQC: 'authorising >  > authorise',
      TC: 'approved heldOffline {offline chip} > forward',
      'TC, over limit': 'authorising >  > authorise',
      AAC: 'declined declinedByChip',
    },
    cardNotRead: { 'in time': 'notSent timedOut', pulled: 'notSent cardPulled' },
    cancelAsked: 'presenting {cancelled} >  > cancelCard',
    restarted: 'notSent restarted',
    ...notAwaited,
    ...fixed,
    ...noRequest,
    ...noLastWord,
    ...notQueued,
    ...notAtTerminal,
    ...underWay,
    ...evidence,
  },
};
