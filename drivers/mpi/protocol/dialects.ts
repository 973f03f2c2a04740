/** The dialects of MPI devices. */
import type { Dialects } from '../../simulation/simulator.ts';

export const mpiDialects = {
  'card-status-answered': {
    says: 'card status (D060) is answered by 9000 first, then by the notice',
    source: 'assumed: the SDK sends it and waits for no answer, so any is possible',
    about: 'card status',
  },
  'card-status-answered-late': {
    says: 'card status (D060) is answered by the notice, then also by 9000',
    source: 'assumed: the SDK sends it and waits for no answer, so any is possible',
    about: 'card status',
  },
  'card-status-silent': {
    says: 'card status (D060) has no answer: a notice comes when a card is inserted or removed',
    source: 'assumed: the SDK says that D060 is answered by an unsolicited message, but not when',
    shows: 'the first sale begins three seconds later; a card that was already in the terminal must be inserted again',
    about: 'card status',
  },
  'card-status-asked': {
    says: 'card status (D060) has no answer, and D064 reports the slot at any time',
    source: 'public SDK JavaMpi-1-1i: cardStatus sends and waits for nothing, cardStatusSolicited waits for its answer',
    models: 'newer units',
    shows: 'the first sale begins two seconds later',
    about: 'card status',
  },
  'long-commands': {
    says: 'the reset answer contains Extended APDU, and commands of up to 1,024 bytes in several blocks are accepted',
    source: 'public SDK JavaMpi-1-1i: resetDevice looks for it (tag ED), CommandApdu writes it',
    models: 'newer units',
  },
  'system-first': {
    says: 'the reset answer names the operating system before the MPI program',
    source: 'assumed: the SDK takes the first program to be MPI, and mentions no other order',
  },
  'card-before-chip': {
    says: 'a notice reports a card before its chip has answered, also one that is being swiped; a second notice follows',
    source:
      'public iOS SDK, MiuraManager.h: a card is detected in either slot, and its chip is operational, in two bits',
  },
  'tap-track-apart': {
    says: 'the masked track 2 of a tap is in DFAE6B, and the encrypted track of a contactless stripe card is tag 9F6B',
    source: 'public SDK JavaMpi-1-1i, Description: Contactless_Masked_Track_2; the encrypted tag is assumed',
  },
  'abort-answered-last': {
    says: 'after an abort the running command ends first (9F41), then the abort is answered',
    source: 'public Android SDK, MpiClientMTAbort: either can come first, and is recognised by its content',
  },
  'powered-on-told': {
    says: 'it reports at the start of each connection that it was switched on, over a serial line too',
    source: 'public iOS SDK, MiuraManager.h (DeviceStatus); the Android SDK excludes USB serial lines',
    models: 'over Bluetooth',
  },
  'device-events': {
    says: 'it reports its beeps at a tap and each key of a PIN, between its answers',
    source: 'public iOS SDK, MiuraManager.h (DeviceStatus)',
  },
  'manual-with-expiry': {
    says: 'a typed card number (D25A) is encrypted together with its expiry',
    source: 'assumed: the SDK (JavaMpi-1-1i) asks for the number alone, and passes on the encrypted data as it is',
  },
} as const satisfies Dialects;

export type MpiDialect = keyof typeof mpiDialects;
