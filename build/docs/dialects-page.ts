/** Generates docs/reference/dialects.md: how terminals of one protocol differ. */
import type { Dialects } from '../../drivers/simulation/simulator.ts';
import { simulators } from '../../drivers/simulators.ts';
import { code, page, pageHead, plainText, table } from './markdown.ts';

const intro = `A manufacturer's protocol document leaves some points open, and some devices deviate from it. Each row
is one such difference. The simulated terminal can imitate it
(\`npm run simulate -- PROTOCOL --tcp PORT --dialect NAME\`), and the driver still completes a sale. If a row names no
visible effect, there is none. [terminals.md](../terminals.md) says what to do.`;

export const dialectsPage = (): string =>
  page(
    pageHead('Dialects of terminals', 'the tables `protocol/dialects.ts` of the drivers', intro),
    ...Object.entries(simulators).flatMap(([protocol, { dialects = {} }]) =>
      Object.keys(dialects).length === 0 ? [] : [`## ${protocol}`, rowsOf(dialects)],
    ),
  );

const rowsOf = (dialects: Dialects): string =>
  table(
    ['name', 'such a terminal', 'what shows', 'known from', 'devices'],
    Object.entries(dialects).map(([name, { says, shows = '', source, models = '' }]) => [
      code(name),
      ...[says, shows, source, models].map(plainText),
    ]),
  );
