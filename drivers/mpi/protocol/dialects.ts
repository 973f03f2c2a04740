/** The dialects of MPI devices. */
import type { Dialects } from '../../simulation/simulator.ts';

export const mpiDialects = {
  'card-status-answered': {
    says: 'card status (D060) is answered by 9000 first, and then by the notice',
    source: 'assumed: the SDK sends and waits for no answer, which excludes none',
    about: 'card status',
  },
  'card-status-answered-late': {
    says: 'card status (D060) is answered by the notice, and then by 9000 all the same',
    source: 'assumed: the SDK sends and waits for no answer, which excludes none',
    about: 'card status',
  },
  'card-status-silent': {
    says: 'card status (D060) is answered by nothing: a notice comes when a card comes or goes',
    source: 'assumed: the SDK says that D060 is answered by an unsolicited message, and not when it comes',
    shows: 'the first sale begins three seconds later; a card that was in the terminal before is to be put in again',
    about: 'card status',
  },
  'card-status-asked': {
    says: 'card status (D060) is answered by nothing, and D064 says at any time how the slot is',
    source: 'public SDK JavaMpi-1-1i: cardStatus sends and waits for nothing, cardStatusSolicited waits for its answer',
    models: 'newer units',
    shows: 'the first sale begins two seconds later',
    about: 'card status',
  },
  'long-commands': {
    says: 'the reset answer says Extended APDU, and commands of up to 1,024 bytes are taken in several blocks',
    source: 'public SDK JavaMpi-1-1i: resetDevice looks for it (tag ED), CommandApdu writes it',
    models: 'newer units',
    about: 'length of commands',
  },
  'system-first': {
    says: 'the reset answer names the operating system before the MPI program',
    source: 'assumed: the SDK takes the first program for MPI, and names no other order',
    about: 'reset answer',
  },
  'card-before-chip': {
    says: 'a notice tells of a card before its chip has answered, and of one that passes to be swiped; another follows',
    source:
      'public iOS SDK, MiuraManager.h: a card is detected in either slot, and its chip is operational, in two bits',
    about: 'notices of the slot',
  },
  'tap-track-apart': {
    says: 'the masked track 2 of a tap is in DFAE6B, and what is sealed of a tapped stripe is tag 9F6B',
    source: 'public SDK JavaMpi-1-1i, Description: Contactless_Masked_Track_2; what is sealed is assumed',
    about: 'track of a tap',
  },
  'abort-answered-last': {
    says: 'after an abort the command that ran ends first (9F41), then the abort is answered',
    source: 'public Android SDK, MpiClientMTAbort: either may come first, and is told by what it says',
    about: 'abort',
  },
  'powered-on-told': {
    says: 'it says that it was switched on when a connection begins, over a serial line too',
    source: 'public iOS SDK, MiuraManager.h (DeviceStatus); the Android SDK excludes USB serial lines',
    models: 'over Bluetooth',
    about: 'connection',
  },
  'device-events': {
    says: 'it tells of its beeps at a tap and of each key of a PIN, between its answers',
    source: 'public iOS SDK, MiuraManager.h (DeviceStatus)',
    about: 'events',
  },
  'manual-with-expiry': {
    says: 'of a number that is typed in (D25A), the expiry is sealed with it',
    source: 'assumed: the SDK (JavaMpi-1-1i) asks for the number alone, and takes what is sealed as it is',
    about: 'manual entry',
  },
} as const satisfies Dialects;

export type MpiDialect = keyof typeof mpiDialects;
