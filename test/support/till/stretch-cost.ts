/** What a guess at a PIN or passphrase costs in tests: next to nothing. The product pays a tenth of a second. */
import type { StretchCost } from '../../../src/base/stretch.ts';

export const cheapStretchCost: StretchCost = 16;
