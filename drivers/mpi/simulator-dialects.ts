/** The dialects of MPI devices. */
import type { Dialects } from '../simulation/dialect.ts';

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
    about: 'card status',
  },
  'card-status-asked': {
    says: 'card status (D060) is answered by nothing, and D064 says at any time how the slot is',
    source: 'public SDK JavaMpi-1-1i: cardStatus sends and waits for nothing, cardStatusSolicited waits for its answer',
    models: 'newer units',
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
  'manual-with-expiry': {
    says: 'of a number that is typed in (D25A), the expiry is sealed with it',
    source: 'assumed: the SDK (JavaMpi-1-1i) asks for the number alone, and takes what is sealed as it is',
    about: 'manual entry',
  },
} as const satisfies Dialects;

export type MpiDialect = keyof typeof mpiDialects;
