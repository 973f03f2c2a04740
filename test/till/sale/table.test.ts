/**
 * The sale machine, state by event: every cell is decided, with its outcome or with the reason why it has none. A new
 * state or a new event without its cells does not compile.
 */
import { describe, expect, test } from 'vitest';
import type { Sale } from '../../../src/till/machine/sale.ts';
import { asking, noting, paying } from './at-terminal.ts';
import { authorising } from './authorising.ts';
import { awaitingAmount, presenting } from './begun.ts';
import { type Cell, outcomeOf, type Row, type Rows } from './cells.ts';
import { completing, goingOffline } from './completing.ts';
import { endedAtGateway } from './ended-at-gateway.ts';
import { endedAtTerminal } from './ended-at-terminal.ts';
import { type EventName, events, shapesOf } from './events.ts';
import { states } from './states.ts';

const table: { readonly [S in Sale['at']]: Rows<S> } = {
  ...{ awaitingAmount, presenting, authorising, completing, goingOffline, noting, paying, asking },
  ended: { ...endedAtGateway, ...endedAtTerminal },
};

const names = Object.keys(events) as EventName[];

/** The cell's text for one variant of its event. */
const expectedCell = (cell: Cell, shape: string): string | undefined => {
  if (typeof cell === 'string') return cell;
  if (typeof cell['because'] === 'string') return undefined;
  const one = (cell as Readonly<Record<string, string | { because: string }>>)[shape];
  return typeof one === 'string' ? one : undefined;
};

const everyShape = (cellOf: (name: EventName, shape: string) => string | undefined) =>
  Object.fromEntries(
    names.flatMap((name) =>
      Object.keys(shapesOf(name)).map((shape) => [`${name} ${shape}`, cellOf(name, shape) ?? '-']),
    ),
  );

for (const [at, rows] of Object.entries(table)) {
  describe(at, () => {
    test.each(Object.entries(rows))('%s', (shape, row: Row) => {
      const sale = (states as Readonly<Record<string, Readonly<Record<string, Sale>>>>)[at]?.[shape] as Sale;
      expect(everyShape((name, each) => outcomeOf(sale, name, each))).toEqual(
        everyShape((name, each) => expectedCell(row[name], each)),
      );
    });
  });
}

test('every cell of an event with several variants names all of them', () => {
  for (const rows of Object.values(table)) {
    for (const row of Object.values(rows) as Row[]) {
      for (const name of names) {
        const cell = row[name];
        if (typeof cell === 'string' || typeof cell['because'] === 'string') continue;
        expect(Object.keys(cell).sort(), name).toEqual(Object.keys(shapesOf(name)).sort());
      }
    }
  }
});
