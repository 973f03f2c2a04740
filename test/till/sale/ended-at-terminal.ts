/** After the ending, at a terminal that authorises by itself: each event in each variant of it. */
import { never, type Row, type Rows } from './cells.ts';

const parted = never(
  'its card is gone',
  'cardPresented',
  'amountFixed',
  'cardRead',
  'cardNotRead',
  'chipApproved',
  'chipDeclined',
  'chipGone',
  'chipNotAsked',
);
const over = never('it has ended', 'cancelAsked', 'restarted');
const notAtGateway = never(
  'the gateway never receives it',
  'hostApproved',
  'hostDeclined',
  'hostRefused',
  'hostOtherMode',
  'hostNotReached',
  'hostSilent',
  'reversed',
  'approvedLate',
);
const notStored = never('nothing of it was stored', 'forwarded', 'withdrawn', 'unpaidEnded');
const independent = never('it does not wait for another payment', 'nothingToFollow');
const untold = never(
  'it stays as it is until the terminal has reported',
  'terminalNoted',
  'terminalUnready',
  'terminalTook',
  'terminalSilent',
);
const noReversal = never('nothing is to be reversed', 'terminalReversed');
const evidence = {
  ...never('evidence changes nothing', 'asked'),
  ...never('nothing of it is stored', 'movedTo'),
};
const noCardData = never('no card data of it is stored', 'cardDataExpired');
const known = never('how it ended is known', 'personSaid');

const stillUnclear = {
  other: 'unknown unclearAtTerminal {forPerson}',
  alike: 'unknown unclearAtTerminal {forPerson}',
};
/** A completed reversal counts, whatever was reported before. */
const proved = {
  reversed: 'declined cancelledAfterApproval {reversal done}',
  refused: { because: 'it was no longer to be reversed' },
  'refused again': { because: 'it was no longer to be reversed' },
  other: 'unknown unclearAtTerminal {forPerson}',
};

const lost: Row = {
  terminalApproved: {
    asked: 'approved approved',
    'other amount': 'declined approvedOtherAmount {reversal due} >  > reverseAtTerminal',
  },
  terminalDeclined: {
    no: 'unknown unclearAtTerminal {forPerson}',
    already: 'unknown unclearAtTerminal {forPerson}',
    'with its payment': 'declined declinedAtTerminal',
  },
  terminalNotBegun: 'unknown unclearAtTerminal {forPerson}',
  terminalUnchanged: 'notSent neverMade {confirm}',
  terminalUnclear: stillUnclear,
  personSaid: { charged: 'approved approved', 'not charged': 'notSent personSaidNot' },
  ...parted,
  ...over,
  ...notAtGateway,
  ...notStored,
  ...independent,
  ...untold,
  ...noReversal,
  ...evidence,
  ...noCardData,
};

const reversalLost: Row = {
  terminalApproved: {
    asked: 'approved reversedAtTerminal',
    'other amount': 'unknown refundedOtherAmount {forPerson}',
  },
  terminalDeclined: {
    no: 'unknown unclearAtTerminal {forPerson}',
    already: 'approved reversedAtTerminal',
    'with its payment': 'unknown unclearAtTerminal {forPerson}',
  },
  terminalUnclear: stillUnclear,
  personSaid: { charged: 'approved voided', 'not charged': 'notSent personSaidNot' },
  ...parted,
  ...over,
  ...notAtGateway,
  ...notStored,
  ...independent,
  ...untold,
  ...never('a reversal is repeated, not searched for', 'terminalNotBegun', 'terminalUnchanged'),
  ...noReversal,
  ...evidence,
  ...noCardData,
};

/** The terminal's report of a payment comes too late for it. */
const toldLate = never(
  'the terminal is no longer asked about it',
  'terminalApproved',
  'terminalDeclined',
  'terminalNotBegun',
  'terminalUnchanged',
  'terminalUnclear',
);

const unclear: Row = {
  personSaid: { charged: 'approved approved', 'not charged': 'notSent personSaidNot' },
  ...parted,
  ...over,
  ...notAtGateway,
  ...notStored,
  ...independent,
  ...untold,
  ...toldLate,
  ...noReversal,
  ...evidence,
  ...noCardData,
};

const settled: Row = {
  ...parted,
  ...over,
  ...notAtGateway,
  ...notStored,
  ...independent,
  ...untold,
  ...toldLate,
  ...noReversal,
  ...known,
  ...evidence,
  ...noCardData,
};

export const endedAtTerminal = {
  'lost at the terminal': lost,
  'lost at the terminal, cancelled': {
    ...lost,
    terminalApproved: {
      asked: 'declined cancelledAfterApproval {reversal due} >  > reverseAtTerminal',
      'other amount': 'declined approvedOtherAmount {reversal due} >  > reverseAtTerminal',
    },
    terminalDeclined: {
      no: 'unknown unclearAtTerminal {forPerson}',
      already: 'unknown unclearAtTerminal {forPerson}',
      'with its payment': 'declined cancelledByTill',
    },
    terminalUnchanged: 'notSent cancelledByTill {confirm}',
  },
  'lost at the terminal, first of the day': {
    ...lost,
    terminalUnchanged: 'unknown unclearAtTerminal {forPerson}',
  },
  'refund lost at the terminal': {
    ...lost,
    terminalApproved: { asked: 'approved refunded', 'other amount': 'unknown refundedOtherAmount {forPerson}' },
    personSaid: { charged: 'approved refunded', 'not charged': 'notSent personSaidNot' },
  },
  'refund by reversal lost at the terminal': {
    ...reversalLost,
    personSaid: { charged: 'approved refunded', 'not charged': 'notSent personSaidNot' },
  },
  'void lost at the terminal': reversalLost,
  'for a person': unclear,
  'refund for a person': {
    ...unclear,
    personSaid: { charged: 'approved refunded', 'not charged': 'notSent personSaidNot' },
  },
  'to be taken back at the terminal': {
    terminalReversed: {
      reversed: 'declined cancelledAfterApproval {reversal done}',
      refused: 'approved reversalRefused',
      'refused again': 'unknown unclearAtTerminal {forPerson}',
      other: 'unknown unclearAtTerminal {forPerson}',
    },
    ...parted,
    ...over,
    ...notAtGateway,
    ...notStored,
    ...independent,
    ...untold,
    ...never(
      'only its reversal is awaited',
      'terminalApproved',
      'terminalDeclined',
      'terminalNotBegun',
      'terminalUnchanged',
      'terminalUnclear',
    ),
    ...known,
    ...evidence,
    ...noCardData,
  },
  'taken back at the terminal': {
    ...settled,
    terminalReversed: {
      reversed: { because: 'it was reversed once' },
      refused: { because: 'it has been reversed' },
      'refused again': { because: 'it has been reversed' },
      other: 'declined cancelledAfterApproval {reversal done, differs}',
    },
  },
  'not taken back at the terminal': { ...settled, terminalReversed: proved },
  'not known to be taken back at the terminal': { ...unclear, terminalReversed: proved },
  'approved at the terminal': { ...settled, terminalReversed: proved },
  'declined at the terminal': settled,
  'to be confirmed by the terminal': {
    terminalApproved: 'unknown unclearAtTerminal {forPerson}',
    terminalDeclined: 'notSent neverMade',
    terminalNotBegun: 'notSent neverMade',
    terminalUnchanged: 'notSent neverMade',
    terminalUnclear: { other: 'notSent neverMade', alike: 'unknown unclearAtTerminal {forPerson}' },
    ...parted,
    ...over,
    ...notAtGateway,
    ...notStored,
    ...independent,
    ...untold,
    ...noReversal,
    ...known,
    ...evidence,
    ...noCardData,
  },
} satisfies Partial<Rows<'ended'>>;
