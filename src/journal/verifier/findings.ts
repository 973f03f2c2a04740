/** The findings of the verifier in words: what is wrong, what that means, and what to do. */

const words = {
  unreadable: { says: 'cannot be read', means: 'The file or its disk is damaged there.' },
  order: {
    says: 'is not in its place',
    means: 'An entry was taken out, put in, or moved.',
  },
  hash: { says: 'does not match its hash', means: 'It, or its hash, was changed after it was written.' },
  malformed: {
    says: 'is not what a till writes',
    means: 'The chain holds, so it was written like this: by another program, or by a mistake in this one.',
  },
  receipt: {
    says: 'breaks the row of receipt numbers',
    means: 'A sale is missing, or one stands twice, though the chain holds.',
  },
  seal: {
    says: 'is a seal that the till did not sign',
    means: 'What stands before it was changed by somebody who computed the chain anew, or the seal was.',
  },
  sealPlace: {
    says: 'is a seal over something else than what stands before it',
    means: 'It was taken from another place, or what stood before it was replaced.',
  },
  sealDay: { says: 'is a seal of another day', means: 'It was changed, or taken from another day.' },
  sealKey: { says: 'is a seal under a key that was never made known', means: 'It does not come from this till.' },
  otherKey: {
    says: 'is sealed under another key than the one that was given',
    means: 'It is the journal of another till, or it was written and sealed anew by somebody else.',
  },
  unsealed: { says: 'is the end of a journal without a seal', means: 'Nothing proves who wrote it.' },
  head: { says: 'is not the one that the journal ends with', means: 'The last entries were taken out, or put in.' },
  note: {
    says: 'is not what was noted elsewhere',
    means: 'What was noted was cut off or replaced since, or the note is of another journal.',
  },
  queue: {
    says: 'was stored for forwarding, and the stored message says something else',
    means: 'The journal is whole; what waits to be sent was changed.',
  },
};

export type Damage = keyof typeof words;

/** `entry` is the number of the first entry that differs from what was written. */
export type VerifierFinding = { readonly what: Damage; readonly entry: number; readonly detail: string };

const NEXT =
  'Keep the whole folder as it is and sell on another one. Compare with the second copy or a backup; ' +
  'the gateway tells what was charged. Everything before that entry can be trusted.';

/** Sentences for a person: what was found, what it means, what to do. */
export const sentences = ({ what, entry, detail }: VerifierFinding): readonly [string, string, string] => {
  const { says, means } = words[what];
  return [`Entry ${entry} ${says}${detail === '' ? '' : `: ${detail}`}.`, means, NEXT];
};
