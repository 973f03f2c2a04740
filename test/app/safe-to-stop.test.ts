/** When a till can be stopped: never while the outcome of money is unknown. */
import { expect, test } from 'vitest';
import { quietOf } from '../../src/app/till-health.ts';

type Given = Parameters<typeof quietOf>[0];

const till = (cases: readonly unknown[], batches: readonly unknown[] = []): Given =>
  ({ resolver: { open: () => cases }, books: { batches: () => batches } }) as unknown as Given;

const ended = (ending: string) => ({ state: 'waiting', sale: { at: 'ended', ending } });

test.each([
  ['nothing open', till([]), { quiet: true }],
  ['an offline sale waits', till([ended('approved')]), { quiet: true }],
  [
    'a sale under way',
    till([{ state: 'unfinished', sale: { at: 'presenting' } }]),
    { quiet: false, why: 'a sale is in progress' },
  ],
  ['one unresolved sale', till([ended('unknown')]), { quiet: false, why: 'the result of 1 sale is not known' }],
  [
    'two unresolved sales',
    till([ended('unknown'), ended('unknown')]),
    { quiet: false, why: 'the result of 2 sales is not known' },
  ],
  ['a batch being closed', till([], [{ state: 'closing' }]), { quiet: false, why: 'a batch is being closed' }],
  ['closed batches', till([], [{ state: 'closed' }, { state: 'open' }]), { quiet: true }],
])('%s', (_, input, quiet) => expect(quietOf(input)).toEqual(quiet));
