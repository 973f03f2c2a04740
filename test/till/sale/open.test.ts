/** How a sale begins, and until when it is open. */
import { expect, test } from 'vitest';
import { begin, isOpen, next, replay, type Sale } from '../../../src/till/machine/sale.ts';
import { answer, chip } from './events.ts';
import { atTerminal, following, sale as intent, refundAtTerminal, refundByReversal } from './intents.ts';
import { states } from './states.ts';

const { ended, presenting, noting, paying, asking } = states;

test('a sale stays open until its reversal, its forwarding or its own answer has come', () => {
  for (const sale of [presenting.sale, ended.unknown, ended.offline, ended['to be given back']])
    expect(isOpen(sale)).toBe(true);
  const done = replay([
    { on: 'intended', intent },
    { on: 'cardRead', card: chip, decision: 'goOnline', offline: { kind: 'allowed', chip: true, deferred: false } },
    { on: 'hostApproved', answer },
    { on: 'chipApproved', chip: {} },
  ]);
  expect(done).toMatchObject({ at: 'ended', ending: 'approved', answer });
  expect(isOpen(done as Sale)).toBe(false);
});

test('a sale at a terminal is open until the terminal, or a person, has decided', () => {
  for (const { sale } of [noting, paying, asking]) expect(isOpen(sale), sale.at).toBe(true);
  for (const shape of [
    ...(['lost at the terminal', 'for a person'] as const),
    ...(['to be confirmed by the terminal', 'to be taken back at the terminal'] as const),
  ])
    expect(isOpen(ended[shape]), shape).toBe(true);
  for (const shape of ['approved at the terminal', 'declined at the terminal', 'taken back at the terminal'] as const)
    expect(isOpen(ended[shape]), shape).toBe(false);
});

test('a second forwarding answer changes nothing', () => {
  const first = next(ended.offline, { on: 'forwarded', approved: false, answer })?.sale as Sale;
  expect(first).toMatchObject({ ending: 'declined', reason: 'declinedOnForwarding', offline: 'chip' });
  expect(next(first, { on: 'forwarded', approved: true, answer })).toBeUndefined();
});

test('a follow-up begins at the gateway', () => {
  expect(begin(following('refund')).effects).toEqual([{ do: 'authorise' }]);
});

test('at a terminal each kind of intent begins with a question about its last payment', () => {
  for (const what of [atTerminal, refundAtTerminal, refundByReversal])
    expect(begin(what)).toEqual({
      sale: { at: 'noting', intent: what, cancelled: false },
      effects: [{ do: 'noteTerminal' }],
    });
});
