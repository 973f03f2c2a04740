/** A request with a card in it as text, as tests compare it: what travels as bytes in hex. */
import { toHex } from '../../../src/base/hex.ts';
import type { CardParameters, Parameters } from '../../../src/till/ports.ts';

export const textParameters = (parameters: CardParameters): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, typeof value === 'string' ? value : toHex(value)]),
  );
