/** A request with a card as text, for comparison in tests: bytes as hex. */
import { toHex } from '../../../src/base/hex.ts';
import type { CardParameters, Parameters } from '../../../src/till/ports.ts';

export const textParameters = (parameters: CardParameters): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, typeof value === 'string' ? value : toHex(value)]),
  );
