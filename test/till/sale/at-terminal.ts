/** At a terminal that authorises by itself: each event in each state. */
import { never, type Row, type Rows } from './cells.ts';

const notAtGateway = never(
  'the terminal has the card and asks its own host',
  'cardPresented',
  'amountFixed',
  'cardRead',
  'cardNotRead',
  'hostApproved',
  'hostDeclined',
  'hostRefused',
  'hostOtherMode',
  'hostNotReached',
  'hostSilent',
  'chipApproved',
  'chipDeclined',
  'chipGone',
  'chipNotAsked',
);
const notQueued = never('nothing of it is in the queue', 'reversed', 'forwarded', 'withdrawn', 'nothingToFollow');
const notBegun = never(
  'the payment was not begun',
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
const cancelledAlready = never('it was asked for already', 'cancelAsked');
const openAlready = never('it is already open', 'terminalNoted', 'terminalUnready');
const taken = never('whether it had accepted it no longer matters', 'terminalTook');
const notLookedFor = never('its last payment was not queried', 'terminalUnchanged', 'terminalUnclear');
const noReversal = never('nothing is to be reversed', 'terminalReversed');

const noted: Row = {
  cancelAsked: 'noting {cancelled}',
  terminalNoted: 'paying >  > payAtTerminal',
  terminalUnready: 'notSent terminalFailed',
  restarted: 'notSent restarted',
  ...notAtGateway,
  ...notQueued,
  ...notBegun,
  ...underWay,
  ...evidence,
};

const notedReversal: Row = {
  cancelAsked: 'noting {cancelled}',
  terminalNoted: {
    same: 'paying >  > payAtTerminal',
    other: 'notSent otherTerminal',
    unnamed: 'notSent otherTerminal',
  },
  terminalUnready: 'notSent terminalFailed',
  restarted: 'notSent restarted',
  ...notAtGateway,
  ...notQueued,
  ...notBegun,
  ...underWay,
  ...evidence,
};

export const noting: Rows<'noting'> = {
  sale: noted,
  cancelled: {
    terminalNoted: 'notSent cancelledByTill',
    terminalUnready: 'notSent cancelledByTill',
    restarted: 'notSent restarted',
    ...notAtGateway,
    ...cancelledAlready,
    ...notQueued,
    ...notBegun,
    ...underWay,
    ...evidence,
  },
  refund: noted,
  'refund by reversal': notedReversal,
  void: notedReversal,
};

const reversing: Row = {
  terminalApproved: {
    asked: 'approved reversedAtTerminal',
    'other amount': 'unknown refundedOtherAmount {forPerson}',
  },
  terminalDeclined: {
    no: 'declined reversalDeclined',
    already: 'approved reversedAtTerminal',
    'with its payment': 'declined reversalDeclined',
  },
  terminalNotBegun: 'notSent notBegunAtTerminal',
  terminalSilent: 'asking >  > askTerminal',
  restarted: 'unknown unansweredAtTerminal',
  ...notAtGateway,
  ...never('a reversal at the terminal, once begun, runs to its end', 'cancelAsked'),
  ...never('a reversal is repeated, not searched for', 'terminalTook'),
  ...notQueued,
  ...openAlready,
  ...notLookedFor,
  ...noReversal,
  ...underWay,
  ...evidence,
};

export const paying: Rows<'paying'> = {
  sale: {
    cancelAsked: 'paying {cancelled} >  > cancelAtTerminal',
    terminalApproved: {
      asked: 'approved approved',
      'other amount': 'declined approvedOtherAmount {reversal due} >  > reverseAtTerminal',
    },
    terminalDeclined: 'declined declinedAtTerminal',
    terminalNotBegun: 'notSent notBegunAtTerminal',
    terminalTook: 'paying',
    terminalSilent: 'asking >  > askTerminal',
    restarted: 'unknown unansweredAtTerminal',
    ...notAtGateway,
    ...notQueued,
    ...openAlready,
    ...notLookedFor,
    ...noReversal,
    ...underWay,
    ...evidence,
  },
  cancelled: {
    terminalApproved: {
      asked: 'declined cancelledAfterApproval {reversal due} >  > reverseAtTerminal',
      'other amount': 'declined approvedOtherAmount {reversal due} >  > reverseAtTerminal',
    },
    terminalDeclined: 'declined cancelledByTill',
    terminalNotBegun: 'notSent cancelledByTill',
    terminalTook: 'paying {cancelled}',
    terminalSilent: 'asking {cancelled} >  > askTerminal',
    restarted: 'unknown unansweredAtTerminal {cancelled}',
    ...notAtGateway,
    ...cancelledAlready,
    ...notQueued,
    ...openAlready,
    ...notLookedFor,
    ...noReversal,
    ...underWay,
    ...evidence,
  },
  refund: {
    cancelAsked: 'paying {cancelled} >  > cancelAtTerminal',
    terminalApproved: { asked: 'approved refunded', 'other amount': 'unknown refundedOtherAmount {forPerson}' },
    terminalDeclined: 'declined declinedAtTerminal',
    terminalNotBegun: 'notSent notBegunAtTerminal',
    terminalTook: 'paying',
    terminalSilent: 'asking >  > askTerminal',
    restarted: 'unknown unansweredAtTerminal',
    ...notAtGateway,
    ...notQueued,
    ...openAlready,
    ...notLookedFor,
    ...noReversal,
    ...underWay,
    ...evidence,
  },
  'refund by reversal': reversing,
  void: reversing,
};

const asked: Row = {
  cancelAsked: 'asking {cancelled}',
  terminalApproved: {
    asked: 'approved approved',
    'other amount': 'declined approvedOtherAmount {reversal due} >  > reverseAtTerminal',
  },
  terminalDeclined: 'declined declinedAtTerminal',
  terminalNotBegun: 'notSent notBegunAtTerminal',
  terminalSilent: 'asking {tries 2} >  > askTerminal',
  terminalUnchanged: 'notSent neverMade {confirm}',
  terminalUnclear: { other: 'unknown unclearAtTerminal {forPerson}', alike: 'unknown unclearAtTerminal {forPerson}' },
  restarted: 'unknown unansweredAtTerminal',
  ...notAtGateway,
  ...notQueued,
  ...openAlready,
  ...taken,
  ...noReversal,
  ...underWay,
  ...evidence,
};

const askedReversal: Row = {
  terminalApproved: {
    asked: 'approved reversedAtTerminal',
    'other amount': 'unknown refundedOtherAmount {forPerson}',
  },
  terminalDeclined: {
    no: 'unknown unclearAtTerminal {forPerson}',
    already: 'approved reversedAtTerminal',
    'with its payment': 'unknown unclearAtTerminal {forPerson}',
  },
  terminalNotBegun: 'asking {tries 2} >  > askTerminal',
  terminalSilent: 'asking {tries 2} >  > askTerminal',
  terminalUnclear: { other: 'unknown unclearAtTerminal {forPerson}', alike: 'unknown unclearAtTerminal {forPerson}' },
  restarted: 'unknown unansweredAtTerminal',
  ...notAtGateway,
  ...never('a reversal at the terminal, once begun, runs to its end', 'cancelAsked'),
  ...notQueued,
  ...openAlready,
  ...taken,
  ...never('a reversal is repeated, not searched for', 'terminalUnchanged'),
  ...noReversal,
  ...underWay,
  ...evidence,
};

export const asking: Rows<'asking'> = {
  sale: asked,
  cancelled: {
    terminalApproved: {
      asked: 'declined cancelledAfterApproval {reversal due} >  > reverseAtTerminal',
      'other amount': 'declined approvedOtherAmount {reversal due} >  > reverseAtTerminal',
    },
    terminalDeclined: 'declined cancelledByTill',
    terminalNotBegun: 'notSent cancelledByTill',
    terminalSilent: 'asking {cancelled, tries 2} >  > askTerminal',
    terminalUnchanged: 'notSent cancelledByTill {confirm}',
    terminalUnclear: { other: 'unknown unclearAtTerminal {forPerson}', alike: 'unknown unclearAtTerminal {forPerson}' },
    restarted: 'unknown unansweredAtTerminal {cancelled}',
    ...notAtGateway,
    ...cancelledAlready,
    ...notQueued,
    ...openAlready,
    ...taken,
    ...noReversal,
    ...underWay,
    ...evidence,
  },
  'for the last time': {
    cancelAsked: 'asking {cancelled, tries 5}',
    terminalApproved: {
      asked: 'approved approved',
      'other amount': 'declined approvedOtherAmount {reversal due} >  > reverseAtTerminal',
    },
    terminalDeclined: 'declined declinedAtTerminal',
    terminalNotBegun: 'notSent notBegunAtTerminal',
    terminalSilent: 'unknown unansweredAtTerminal',
    terminalUnchanged: 'notSent neverMade {confirm}',
    terminalUnclear: { other: 'unknown unclearAtTerminal {forPerson}', alike: 'unknown unclearAtTerminal {forPerson}' },
    restarted: 'unknown unansweredAtTerminal',
    ...notAtGateway,
    ...notQueued,
    ...openAlready,
    ...taken,
    ...noReversal,
    ...underWay,
    ...evidence,
  },
  'first of the day': { ...asked, terminalUnchanged: 'asking {tries 2} >  > askTerminal' },
  refund: {
    ...asked,
    terminalApproved: { asked: 'approved refunded', 'other amount': 'unknown refundedOtherAmount {forPerson}' },
  },
  'refund by reversal': askedReversal,
  void: askedReversal,
};
