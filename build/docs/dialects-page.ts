/** Makes docs/reference/dialects.md: in what terminals of one protocol differ. */
import type { Dialects } from '../../drivers/simulation/simulator.ts';
import { simulators } from '../../drivers/simulators.ts';
import { code, head, page, plain, table } from './markdown.ts';

const intro = `A maker's document leaves some things open, and devices do some things otherwise. Each row is one of them, which the
simulated terminal plays (\`npm run simulate -- PROTOCOL --tcp PORT --dialect NAME\`) and on which the driver sells. Where
nothing is said of what shows, nobody sees a difference. What to do stands in [terminals.md](../terminals.md).`;

export const dialectsPage = (): string =>
  page(
    head('Dialects of terminals', 'the tables `protocol/dialects.ts` of the drivers', intro),
    ...Object.entries(simulators).flatMap(([protocol, { dialects = {} }]) =>
      Object.keys(dialects).length === 0 ? [] : [`## ${protocol}`, rowsOf(dialects)],
    ),
  );

const rowsOf = (dialects: Dialects): string =>
  table(
    ['name', 'such a terminal', 'what shows', 'known from', 'devices'],
    Object.entries(dialects).map(([name, { says, shows = '', source, models = '' }]) => [
      code(name),
      ...[says, shows, source, models].map(plain),
    ]),
  );
