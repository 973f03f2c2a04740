/** The cost of stretching a PIN or passphrase in tests: next to nothing. The product spends a tenth of a second. */
import type { StretchCost } from '../../../src/base/stretch.ts';

export const cheapStretchCost: StretchCost = 16;
